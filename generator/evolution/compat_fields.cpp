#include <algorithm>
#include <functional>
#include <iterator>
#include <variant>

#include "evolution/compat_checks.h"

namespace generator {
namespace {

/// Readers that skip empty unknown fields skip these.
bool is_empty(const Literal& literal) {
  const auto* const text = std::get_if<std::string>(&literal);
  const auto* const fields = std::get_if<FieldsLiteral>(&literal);
  return (text != nullptr && text->empty()) || (fields != nullptr && fields->values.empty()) ||
         (!is_composed(literal) &&
          (std::holds_alternative<ListLiteral>(literal) || std::holds_alternative<MapLiteral>(literal)));
}

std::string optional_type(const Scope& scope, const Field& field) {
  return "type: \"Optional[" + spelled(scope.after.model, field.type) + "]\", default: null";
}

std::string default_for(const Scope& scope, const Field& field) {
  constexpr TypeWords kDefaults = {"false", "0", "0.0", "\"\"", {}, {}, {}, "[]", "{}", "null"};
  std::string value(kDefaults.of(field.type.kind));
  if (field.type.kind == Type::Kind::named) {
    const std::vector<Field>& values = scope.after.model.types[field.type.named].values;
    if (!values.empty()) value = values.front().name;
  }
  return value.empty() ? value : "default: " + value;
}

const Field* union_that_took(const TypeCheck& in, const Field& removed) {
  if (!in.after.is_struct() || in.scope.policy == Policy::pytorch) return nullptr;
  for (const Field& field : in.after.fields) {
    const auto named = named_in(field.type);
    if (!named || field.type.kind == Type::Kind::list || field.type.kind == Type::Kind::map) continue;
    const Definition& type = in.scope.after.model.types[*named];
    if (!type.is_union()) continue;
    for (const Field& member : type.fields) {
      const bool same_name = member.name == removed.name || member.name == "as_" + removed.name;
      if (same_name && corresponds(removed.type, member.type, in.scope.match)) return &field;
    }
  }
  return nullptr;
}

constexpr char kAgain[] = "could be used again with a different meaning";

struct Unreserved {
  std::vector<std::int32_t> ids;
  std::vector<std::string> names;

  bool is_none() const { return ids.empty() && names.empty(); }
  bool is_one() const { return ids.size() + names.size() == 1; }
};

template <typename Items, typename Spell>
std::string listed(const std::string& noun, const Items& items, const Spell& spell) {
  return items.empty() ? "" : noun + (items.size() == 1 ? " " : "s ") + joined(items, ", ", spell);
}

/// Names of enum members matter only in JSON, so the message leaves them out.
void report_unreserved(TypeCheck& in, const Subject& subject, const Unreserved& all,
                       const std::string& problem, bool are_members = false) {
  const std::string ids =
      listed(are_members ? "number" : "id", all.ids, [](std::int32_t id) { return std::to_string(id); });
  const std::string names = are_members ? "" : listed("name", all.names, quoted);
  const std::string between = ids.empty() || names.empty() ? "" : " and ";
  Finding& finding =
      in.report.add(subject, ids + between + names + " of " + quoted(in.after.name) + " " + problem);
  finding.suggest("add to " + quoted(in.after.name), reserved_line(in.after, {all.ids.begin(), all.ids.end()},
                                                                   {all.names.begin(), all.names.end()}));
  only_warn_in_new_major(in.scope, finding);
}

/// Other rules report ids and names that are already used again.
void add_unreserved(const TypeCheck& in, const Field& removed, Unreserved& all) {
  const Reserved& reserved = in.after.reserved;
  if (!contains(reserved.ids, removed.id) && in.pair.new_fields.numbered(removed.id) == nullptr)
    all.ids.push_back(removed.id);
  if (!contains(reserved.names, removed.name) && in.pair.new_fields.named(removed.name) == nullptr)
    all.names.push_back(removed.name);
}

std::vector<const Field*> gone_or_renamed(const TypePair& pair) {
  std::vector<const Field*> fields = pair.removed;
  for (const auto& [from, to] : pair.fields) {
    if (from->name != to->name) fields.push_back(from);
  }
  return fields;
}

std::string use_text(const Model& model, const Field& field) {
  return quoted(field.name) + " (" + spelled(model, field.type) + ")";
}

EarlierField earlier_field_named(const TypeCheck& in, const std::string& name) {
  return find_in_history(in, [&](const Field& field) { return field.name == name; });
}

bool has_type_of(const EarlierField& earlier, const TypeCheck& in, const Field& field) {
  return spelled(earlier.release->model, earlier.item->type) == spelled(in.scope.after.model, field.type);
}

OldUse use_of(const EarlierField& earlier) {
  return {use_text(earlier.release->model, *earlier.item), " in " + spelled(earlier.release->model.version),
          earlier.release->at(earlier.item->span)};
}

/// A removed field may return with its id.
OldUse old_use_of_id(const TypeCheck& in, const Field* origin, const Field& field) {
  if (origin != nullptr && origin->id == field.id) return {};
  if (const Field* const other = in.pair.old_fields.numbered(field.id)) {
    return {use_text(in.scope.before.model, *other), "", in.scope.before.at(other->span)};
  }
  const EarlierField earlier = find_in_history(in, [&](const Field& other) { return other.id == field.id; });
  if (earlier.item != nullptr) {
    const bool is_itself = earlier.item->name == field.name && has_type_of(earlier, in, field);
    return is_itself ? OldUse{} : use_of(earlier);
  }
  const bool is_reserved = in.scope.is_whole() && contains(in.before.reserved.ids, field.id);
  return is_reserved ? in.reserved() : OldUse{};
}

/// JSON has no ids, so a field of the same type is the same field.
OldUse old_use_of_name(const TypeCheck& in, const Field& field) {
  if (in.pair.old_fields.named(field.name) != nullptr) return {};
  const EarlierField earlier = earlier_field_named(in, field.name);
  if (earlier.item != nullptr) return has_type_of(earlier, in, field) ? OldUse{} : use_of(earlier);
  return contains(in.before.reserved.names, field.name) ? in.reserved() : OldUse{};
}

Finding& report_other_id(TypeCheck& in, const Subject& subject, const Field& field, std::int32_t old_id,
                         const std::string& when) {
  Finding& finding =
      in.report.add(subject, "id of $ changed from $$ to $", in.new_path(field.name), old_id, when, field.id);
  finding.suggest("restore its id", "id: " + std::to_string(old_id));
  return finding;
}

Span id_place(const Field& field) {
  return field.id_span.line > 0 ? field.id_span : field.span;
}

Subject about_id(const TypeCheck& in, const FieldPair& fields) {
  Subject subject = in.changed(fields);
  subject.after.span = id_place(*fields.second);
  if (fields.first != nullptr) subject.before.span = id_place(*fields.first);
  return subject;
}

const FieldPair* exchanged_with(const TypePair& pair, const FieldPair& fields) {
  const auto other = std::find_if(pair.fields.begin(), pair.fields.end(), [&](const FieldPair& one) {
    return one.first->id != one.second->id && one.first->id == fields.second->id &&
           one.second->id == fields.first->id;
  });
  return other == pair.fields.end() ? nullptr : &*other;
}

void report_exchange(TypeCheck& in, const FieldPair& fields, const FieldPair& other) {
  const std::string old_id = std::to_string(fields.first->id);
  const std::string new_id = std::to_string(fields.second->id);
  const std::string first = quoted(fields.second->name);
  const std::string second = quoted(other.second->name);
  Finding& finding = in.report.add(about_id(in, fields), "$ and $ exchanged ids: $ and $",
                                   in.new_path(fields.second->name), second, old_id, new_id);
  if (in.scope.is_new_major() || !in.scope.is_whole()) finding.level = Level::breaking;
  in.set_example(finding, with_field(in.before, *fields.first));
  finding.suggest("restore the ids: " + first + " has id " + old_id + ", " + second + " has id " + new_id);
}

void report_reused_id(TypeCheck& in, const Field* origin, const Field& field) {
  const OldUse use = old_use_of_id(in, origin, field);
  if (use.what.empty()) return;
  const FieldPair* const other = origin == nullptr ? nullptr : exchanged_with(in.pair, {origin, &field});
  if (other != nullptr) {
    if (std::less<>()(origin, other->first)) report_exchange(in, {origin, &field}, *other);
    return;
  }
  Finding& finding = in.add_reuse(about_id(in, {nullptr, &field}), use,
                                  filled("id $ of $$", field.id, in.new_path(field.name), use.text()));
  if (in.scope.is_new_major() || !in.scope.is_whole()) finding.level = Level::breaking;
  if (const Field* const old = in.pair.old_fields.numbered(field.id))
    in.set_example(finding, with_field(in.before, *old));
  finding.suggest(origin == nullptr ? "use an id that has never been used" : "restore its id",
                  "id: " + std::to_string(origin == nullptr ? in.free_number() : origin->id));
}

}  // namespace

void field_added(TypeCheck& in, const Field* field, bool is_optional) {
  if (!in.after.is_struct() || !field->fallback || (field->type.kind == Type::Kind::optional) != is_optional)
    return;
  Finding& finding = in.report.add(in.added(*field), "field $ was added; it defaults to $",
                                   in.new_path(field->name), absent_value(*field));
  if (in.scope.policy == Policy::backward) finding.level = Level::note;
  if (!is_optional && !is_empty(*field->fallback)) {
    finding.suggest(
        "make the field Optional: readers that skip empty fields "
        "then accept files in which it is not set",
        optional_type(in.scope, *field));
  }
  in.set_example(finding, with_field(in.after, *field));
}

void field_added_required(TypeCheck& in, const Field* field) {
  if (!in.after.is_struct() || field->fallback) return;
  Finding& finding = in.report.add(in.added(*field),
                                   "field $ was added without a default: readers reject files that lack it",
                                   in.new_path(field->name));
  // Binary data omits nulls.
  if (field->type.kind == Type::Kind::optional) finding.effects.binary_backward = Verdict::yes;
  in.set_example(finding, [&](Flow flow, const SmallValues& values) {
    return values.of_type(is_backward(flow) ? in.pair.before : in.pair.after);
  });
  const std::string value = default_for(in.scope, *field);
  value.empty() ? finding.suggest("make it Optional", optional_type(in.scope, *field))
                : finding.suggest("give it a default", value);
}

void field_removed(TypeCheck& in, const Field* field, bool had_default) {
  if (!in.after.is_struct() || had_default != field->fallback.has_value()) return;
  if (union_that_took(in, *field) != nullptr) return;
  const Model& model = in.scope.before.model;
  Finding& finding = in.report.add(in.removed(*field), "field $ (id $, $) was removed",
                                   in.old_path(field->name), field->id, spelled(model, field->type));
  // Binary data omits nulls, so old readers miss nothing.
  if (field->type.kind == Type::Kind::optional) finding.effects.binary_forward = Verdict::yes;
  in.set_example(finding, with_field(in.before, *field));
  finding.suggest("keep it, and deprecate it in favor of another field",
                  field_line(model, *field, field->name, "deprecated: \"...\""));
}

void field_removed_not_reserved(TypeCheck& in) {
  if (in.after.is_enum()) return;
  Unreserved all;
  Subject subject = in.type();
  for (const Field* field : gone_or_renamed(in.pair)) {
    const bool is_first = all.is_none();
    add_unreserved(in, *field, all);
    if (is_first) subject.before.span = field->span;
  }
  if (!all.is_none()) report_unreserved(in, subject, all, kAgain);
}

void enum_value_removed_not_reserved(TypeCheck& in) {
  if (!in.after.is_enum()) return;
  Unreserved all;
  Subject subject = in.type();
  for (const Field* value : in.pair.removed) {
    // Another rule reports numbers that are already used again.
    if (contains(in.after.reserved.ids, value->id) || in.pair.new_fields.numbered(value->id) != nullptr)
      continue;
    if (all.is_none()) subject.before.span = value->span;
    all.ids.push_back(value->id);
    if (in.json_has_names()) all.names.push_back(value->name);
  }
  if (!all.is_none()) report_unreserved(in, subject, all, kAgain, true);
}

void field_moved_into_union(TypeCheck& in, const Field* field) {
  const Field* const into = union_that_took(in, *field);
  if (into == nullptr) return;
  Subject subject = in.removed(*field);
  subject.after.span = into->span;
  Finding& finding = in.report.add(subject, "field $ was moved into the union in $", in.old_path(field->name),
                                   in.new_path(into->name));
  in.set_example(finding, with_field(in.before, *field));
  finding.suggest("keep the field next to the union, and deprecate it");
}

void field_id_changed(TypeCheck& in) {
  if (in.after.is_enum()) return;
  for (const FieldPair& fields : in.pair.fields) {
    const auto& [from, to] = fields;
    // field_id_reused() reports fields that exchanged ids.
    if (from->id == to->id || exchanged_with(in.pair, fields) != nullptr) continue;
    Finding& finding = report_other_id(in, about_id(in, fields), *to, from->id, "");
    in.set_example(finding, with_field(in.before, *from));
  }
  for (const Field* field : in.pair.added) {
    const EarlierField earlier = earlier_field_named(in, field->name);
    if (earlier.item == nullptr || earlier.item->id == field->id || !has_type_of(earlier, in, *field))
      continue;
    Subject subject = about_id(in, {nullptr, field});
    subject.before = earlier.release->at(id_place(*earlier.item));
    subject.before_text = "it was here";
    report_other_id(in, subject, *field, earlier.item->id, " in " + spelled(earlier.release->model.version));
  }
}

void field_id_reused(TypeCheck& in) {
  if (in.after.is_enum()) return;
  for (const auto& [origin, field] : in.pair.fields) report_reused_id(in, origin, *field);
  for (const Field* field : in.pair.added) report_reused_id(in, nullptr, *field);
}

void field_name_reused(TypeCheck& in) {
  if (!in.pair.has_same_kind()) return;
  for (const Field& field : in.after.fields) {
    const OldUse use = old_use_of_name(in, field);
    if (use.what.empty()) continue;
    Finding& finding = in.add_reuse(
        in.added(field), use,
        "the name of " + in.new_path(field.name) +
            (use.is_reserved ? use.text() : " belonged to another field" + use.when + ": " + use.what));
    if (in.scope.is_new_major()) finding.level = Level::breaking;
    finding.suggest("choose a name that has never been used");
  }
}

void field_renamed(TypeCheck& in, const FieldPair& fields) {
  const auto& [from, to] = fields;
  if (in.after.is_enum() || from->name == to->name) return;
  Finding& finding = in.report.add(in.changed(fields), "$ $ (id $) was renamed to '$'", noun_of(in.after),
                                   in.old_path(from->name), to->id, to->name);
  in.set_example(finding, with_field(in.before, *from));
  finding.suggest(
      "keep the name in files, and rename it in C++ only",
      field_line(in.scope.after.model, *to, from->name, "cpp_name: " + to->cpp_name.value_or(to->name)));
}

void field_reordered(TypeCheck& in) {
  const std::vector<FieldPair>& fields = in.pair.fields;
  const auto moved = std::is_sorted_until(
      fields.begin(), fields.end(), [](const FieldPair& a, const FieldPair& b) { return a.first < b.first; });
  if (in.after.is_enum() || moved == fields.end()) return;
  Subject subject = in.type();
  subject.after.span = moved->second->span;
  subject.before.span = moved->first->span;
  in.report.add(subject, "the $s of '$' were reordered: '$' now precedes '$'", noun_of(in.after),
                in.after.name, std::prev(moved)->second->name, moved->second->name);
}

void reserved_removed(TypeCheck& in) {
  const Reserved& old = in.before.reserved;
  const Reserved& now = in.after.reserved;
  const TypePair& pair = in.pair;
  Unreserved lost;
  for (const std::int32_t id : old.ids) {
    if (pair.new_fields.numbered(id) == nullptr && !contains(now.ids, id)) lost.ids.push_back(id);
  }
  for (const std::string& name : old.names) {
    if (pair.new_fields.named(name) == nullptr && !contains(now.names, name)) lost.names.push_back(name);
  }
  if (lost.is_none()) return;
  Subject subject = in.type();
  subject.before.span = old.span;
  if (now.span.line > 0) subject.after.span = now.span;
  report_unreserved(in, subject, lost, lost.is_one() ? "is no longer reserved" : "are no longer reserved");
}

}  // namespace generator
