#include <algorithm>
#include <deque>
#include <map>
#include <type_traits>
#include <variant>

#include "evolution/compat_checks.h"
#include "evolution/reading.h"

namespace generator {
namespace {

struct TypeChange {
  Change change = Change::none;
  std::string inside;
  std::size_t before = 0;
  std::size_t after = 0;
};

Change change_of_number(Type::Kind before, Type::Kind after) {
  if (is_integer(before) && is_floating(after)) return Change::to_double;
  if (is_integer(before) != is_integer(after)) return Change::other;
  if (holds_all(after, before)) return Change::widened;
  return holds_all(before, after) ? Change::narrowed : Change::range_changed;
}

Change change_of_kind(const Scope& scope, const Type& before, const Type& after) {
  using Kind = Type::Kind;
  if (after.kind == Kind::any) return Change::to_any;
  if (before.kind == Kind::any) return Change::from_any;
  if (is_number(before.kind) && is_number(after.kind)) return change_of_number(before.kind, after.kind);
  if (before.kind == Kind::string && after.kind == Kind::bytes) return Change::to_binary;
  if (before.kind == Kind::bytes && after.kind == Kind::string) return Change::to_string;
  if (scope.before.model.is_enum(before) && is_integer(after.kind) && holds_all(after.kind, Kind::int32))
    return Change::enum_to_int;
  if (is_integer(before.kind) && scope.after.model.is_enum(after)) return Change::int_to_enum;
  return Change::other;
}

Effects worse(const Effects& a, const Effects& b) {
  Effects worst;
  for (const auto effect : kEffects) worst.*effect = std::max(a.*effect, b.*effect);
  return worst;
}

bool has_same_keys(const Scope& scope, const Type& before, const Type& after) {
  const Type* const old_key = key_of(before);
  const Type* const new_key = key_of(after);
  if (old_key == nullptr || new_key == nullptr) return old_key == new_key;
  return corresponds(*old_key, *new_key, scope.match);
}

Change change_of_keys(const Scope& scope, const Type& before, const Type& after) {
  const Type* const old_key = key_of(before);
  const Type* const new_key = key_of(after);
  const auto is_of_integers = [](const Type* key) { return key != nullptr && is_integer(key->kind); };
  const bool are_numbers = is_of_integers(old_key) && is_of_integers(new_key) &&
                           corresponds(before.args.front(), after.args.front(), scope.match);
  return are_numbers ? change_of_number(old_key->kind, new_key->kind) : Change::other;
}

TypeChange change_of(const Scope& scope, const Type& before, const Type& after) {
  if (before.kind == Type::Kind::map && after.kind == Type::Kind::map && !has_same_keys(scope, before, after))
    return {change_of_keys(scope, before, after), ""};
  if (before.kind == after.kind && !before.args.empty()) {
    TypeChange change = change_of(scope, before.args.front(), after.args.front());
    change.inside.insert(0, before.kind == Type::Kind::list ? "[]" : "{}");
    return change;
  }
  if (before.kind == Type::Kind::named && after.kind == Type::Kind::named) {
    if (scope.match.partner[before.named] == after.named) return {};
    const bool same_kind =
        scope.before.model.types[before.named].kind == scope.after.model.types[after.named].kind;
    return {same_kind ? Change::retargeted : Change::other, "", before.named, after.named};
  }
  if (before.kind == after.kind) return {};
  const bool is_in_list = after.kind == Type::Kind::list && before.kind != Type::Kind::any &&
                          corresponds(before, after.args.front(), scope.match);
  return {is_in_list ? Change::to_list : change_of_kind(scope, before, after), ""};
}

TypeChange change_of(const Scope& scope, const FieldPair& fields) {
  return change_of(scope, without_optional(fields.first->type), without_optional(fields.second->type));
}

Subject about_type_of(const TypeCheck& in, const FieldPair& fields) {
  Subject subject = in.changed(fields);
  if (fields.second->type_span.line > 0) subject.after.span = fields.second->type_span;
  if (fields.first->type_span.line > 0) subject.before.span = fields.first->type_span;
  return subject;
}

/// The field that is written in a direction, and the one that is read.
FieldPair written_and_read(const FieldPair& fields, Flow flow) {
  return is_backward(flow) ? fields : FieldPair{fields.second, fields.first};
}

const Definition& written_type(const TypeCheck& in, Flow flow) {
  return is_backward(flow) ? in.before : in.after;
}

Presence presence_of(const Field& field) {
  if (field.type.kind == Type::Kind::optional) return Presence::optional;
  return field.fallback ? Presence::defaulted : Presence::required;
}

std::string presence_text(const Field& field) {
  const std::string absent = absent_value(field);
  if (field.type.kind != Type::Kind::optional) return absent.empty() ? "required" : absent + " by default";
  return absent.empty() ? "Optional, but required" : "Optional, null by default";
}

bool is_any(const Field& field) {
  return without_optional(field.type).kind == Type::Kind::any;
}

/// The field is null or, failing that, absent, so it has its default.
std::optional<std::string> without_value(const TypeCheck& in, const FieldPair& fields, Flow flow,
                                         const SmallValues& values) {
  const auto [written, read] = written_and_read(fields, flow);
  const Definition& type = written_type(in, flow);
  const bool is_null =
      written->type.kind == Type::Kind::optional && !(is_json(flow) && is_any(*read) && written->fallback);
  return is_null ? values.with(type, *written, "null") : values.without(type, *written);
}

void suggest_default(TypeCheck& in, const Field& old, Finding& finding) {
  finding.suggest("restore its default", "default: " + absent_value(old));
  in.set_example(finding, [&](Flow, const SmallValues& values) { return values.without(in.before, old); });
}

/// Returns whether only one of the fields has a default, and whether this is the old one.
bool has_lost_or_got_default(const FieldPair& fields, bool had_default) {
  const auto& [from, to] = fields;
  const bool both_optional =
      (presence_of(*from) == Presence::optional) == (presence_of(*to) == Presence::optional);
  return both_optional && from->fallback.has_value() == had_default &&
         to->fallback.has_value() != had_default;
}

std::optional<long double> number_of(const Literal& literal) {
  if (const auto* number = std::get_if<std::int64_t>(&literal)) return static_cast<long double>(*number);
  if (const auto* large = std::get_if<std::uint64_t>(&literal)) return static_cast<long double>(*large);
  if (const auto* real = std::get_if<double>(&literal)) return static_cast<long double>(*real);
  if (const auto* single = std::get_if<float>(&literal)) return static_cast<long double>(*single);
  if (const auto* member = std::get_if<EnumMember>(&literal)) return static_cast<long double>(member->number);
  return std::nullopt;
}

bool is_same_default(const Literal& a, const Literal& b);

const Literal* same_value(const FieldsLiteral& literal, const FieldsLiteral::Value& wanted) {
  const Literal* found = nullptr;
  for (const FieldsLiteral::Value& one : literal.values) {
    if (one.name == wanted.name) return &one.value;
    if (one.id == wanted.id) found = &one.value;
  }
  return found;
}

struct SameDefault {
  template <typename A, typename B>
  bool operator()(const A& a, const B& b) const {
    const auto number = number_of(Literal(a));
    const auto other = number_of(Literal(b));
    if (number && other) return *number == *other;
    // Another kind of value implies another type, except null.
    return std::is_same_v<A, std::monostate> == std::is_same_v<B, std::monostate>;
  }
  template <typename T>
  bool operator()(const T& a, const T& b) const {
    return spelled(Literal(a)) == spelled(Literal(b));
  }
  bool operator()(const ListLiteral& a, const ListLiteral& b) const {
    return std::equal(a.items.begin(), a.items.end(), b.items.begin(), b.items.end(), is_same_default);
  }
  bool operator()(const MapLiteral& a, const MapLiteral& b) const {
    std::map<std::string, const Literal*> in_b;
    for (const MapLiteral::Entry& entry : b.entries) in_b.emplace(spelled(entry.key), &entry.value);
    return a.entries.size() == b.entries.size() &&
           std::all_of(a.entries.begin(), a.entries.end(), [&](const MapLiteral::Entry& entry) {
             const auto other = in_b.find(spelled(entry.key));
             return other != in_b.end() && is_same_default(entry.value, *other->second);
           });
  }
  /// Another rule reports fields that only one of them has.
  bool operator()(const FieldsLiteral& a, const FieldsLiteral& b) const {
    const bool is_one_member = a.values.size() == 1 && b.values.size() == 1;
    return std::all_of(a.values.begin(), a.values.end(), [&](const FieldsLiteral::Value& one) {
      const Literal* const other = same_value(b, one);
      return other == nullptr ? !is_one_member : is_same_default(one.value, *other);
    });
  }
  /// Other rules report a new name and a new number.
  bool operator()(const EnumMember& a, const EnumMember& b) const {
    return a.number == b.number || a.name == b.name;
  }
  bool operator()(const EnumMember& a, const std::string& b) const { return a.name == b; }
  bool operator()(const std::string& a, const EnumMember& b) const { return a == b.name; }
  /// A float32 is the shortest decimal that gives it.
  bool operator()(float a, double b) const { return spelled(Literal(a)) == spelled(Literal(b)); }
  bool operator()(double a, float b) const { return spelled(Literal(a)) == spelled(Literal(b)); }
};

bool is_same_default(const Literal& a, const Literal& b) {
  return std::visit(SameDefault{}, a, b);
}

}  // namespace

std::vector<Finding> compare_inside(const Scope& scope, std::size_t before, std::size_t after,
                                    const std::string& path) {
  struct Visit {
    std::size_t before;
    std::size_t after;
    std::string path;
  };
  std::deque<Visit> waiting = {{before, after, path}};
  std::set<std::pair<std::size_t, std::size_t>> seen = {{before, after}};  // types can be recursive
  Report report(scope.policy);
  for (; !waiting.empty(); waiting.pop_front()) {
    const Visit& one = waiting.front();
    const TypePair pair = match_members(scope.before.model, scope.after.model, one.before, one.after,
                                        scope.match, Renames::found);
    const Scope inside = {scope.before, scope.after,    scope.earlier, scope.policy,
                          scope.match,  scope.examples, {&pair},       one.path};
    for (const Rule& rule : rules()) report.check(rule, inside);
    for (const FieldPair& fields : pair.fields) {
      const TypeChange change = change_of(inside, fields);
      if (change.change == Change::retargeted && seen.emplace(change.before, change.after).second)
        waiting.push_back(
            {change.before, change.after, one.path + "." + fields.second->name + change.inside});
    }
  }
  std::vector<Finding> findings = report.take();
  const auto is_harmless = [](const Finding& finding) {
    return finding.level == Level::note && finding.bump == Bump::none;
  };
  findings.erase(std::remove_if(findings.begin(), findings.end(), is_harmless), findings.end());
  return findings;
}

void type_changed(TypeCheck& in, const FieldPair& fields, Change wanted) {
  const auto& [from, to] = fields;
  if (change_of(in.scope, fields).change != wanted) return;
  Finding& finding =
      in.report.add(about_type_of(in, fields), "type of $ changed from '$' to '$'", in.new_path(to->name),
                    spelled(in.scope.before.model, from->type), spelled(in.scope.after.model, to->type));
  std::map<Flow, Loss> losses;
  for (const Flow flow : kFlows) {
    const auto [written, read] = written_and_read(fields, flow);
    losses[flow] = loss(in.scope, flow, without_optional(written->type), without_optional(read->type));
    finding.effects.*effect_on(flow) = losses[flow].verdict;
  }
  in.set_example(finding, [&](Flow flow, const SmallValues& values) -> std::optional<std::string> {
    const std::optional<std::string>& value = losses[flow].value;
    if (!value) return std::nullopt;
    return values.with(written_type(in, flow), *written_and_read(fields, flow).first, *value);
  });
  Field added = *to;
  if (!in.after.is_union() && !added.fallback) {
    added.type = {Type::Kind::optional, {without_optional(added.type)}, 0};
    added.fallback = Literal(std::monostate{});
  }
  finding.suggest("keep the field, and add a second one with the new type",
                  field_line(in.scope.after.model, added, added.name + "_2", in.free_number()));
}

void type_retargeted(TypeCheck& in, const FieldPair& fields) {
  const TypeChange change = change_of(in.scope, fields);
  if (change.change != Change::retargeted) return;
  Finding& finding = in.report.add(
      about_type_of(in, fields), "$ now refers to '$' instead of '$'", in.new_path(fields.second->name),
      in.scope.after.model.types[change.after].name, in.scope.before.model.types[change.before].name);
  if (in.scope.policy == Policy::pytorch) return;
  finding.causes = compare_inside(in.scope, change.before, change.after, finding.path + change.inside);
  for (const Finding& cause : finding.causes) {
    finding.level = std::max(finding.level, cause.level);
    finding.bump = std::max(finding.bump, cause.bump);
    finding.effects = worse(finding.effects, cause.effects);
  }
  finding.message += finding.causes.empty() ? "; both types have the same encoding" : "; the types differ";
}

void presence_changed(TypeCheck& in, const FieldPair& fields, Presence from, Presence to) {
  const auto& [old, now] = fields;
  if (presence_of(*old) != from || presence_of(*now) != to) return;
  Finding& finding = in.report.add(about_type_of(in, fields), "$ is now $; it was $", in.new_path(now->name),
                                   presence_text(*now), presence_text(*old));
  finding.suggest("keep the type");
  Effects& effects = finding.effects;
  // In JSON, Any takes null.
  if (from == Presence::required && is_any(*old)) effects.json_forward = Verdict::yes;
  if (to == Presence::required && is_any(*now))
    effects.json_backward = old->fallback ? Verdict::depends : Verdict::yes;
  // New files have the field.
  if (to == Presence::defaulted && !old->fallback) effects.json_forward = Verdict::yes;
  if (from == Presence::defaulted && !now->fallback) effects.json_backward = Verdict::depends;
  in.set_example(
      finding, [&](Flow flow, const SmallValues& values) { return without_value(in, fields, flow, values); });
}

void required_to_defaulted(TypeCheck& in, const FieldPair& fields) {
  if (!has_lost_or_got_default(fields, false)) return;
  const Field& to = *fields.second;
  in.report.add(in.changed(fields), "$ now has a default: $", in.new_path(to.name), absent_value(to));
}
void defaulted_to_required(TypeCheck& in, const FieldPair& fields) {
  if (!has_lost_or_got_default(fields, true)) return;
  const auto& [from, to] = fields;
  Finding& finding = in.report.add(in.changed(fields), "$ no longer has a default; it was $",
                                   in.new_path(to->name), absent_value(*from));
  // Binary data never contains nulls.
  if (to->type.kind == Type::Kind::optional) finding.effects.binary_backward = Verdict::yes;
  suggest_default(in, *from, finding);
}

void default_changed(TypeCheck& in, const FieldPair& fields) {
  const auto& from = fields.first->fallback;
  const auto& to = fields.second->fallback;
  if (!from || !to || is_same_default(*from, *to)) return;
  // A null in only one of them implies a change of the type.
  if (std::holds_alternative<std::monostate>(*from) != std::holds_alternative<std::monostate>(*to)) return;
  Finding& finding = in.report.add(in.changed(fields), "default of $ changed from $ to $",
                                   in.new_path(fields.second->name), spelled(*from), spelled(*to));
  suggest_default(in, *fields.first, finding);
}

}  // namespace generator
