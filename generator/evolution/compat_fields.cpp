#include <algorithm>
#include <functional>
#include <iterator>
#include <variant>

#include "evolution/compat_checks.h"
#include "schemagen/base/quote.h"

namespace generator {
namespace {

bool is_struct(const TypePair& pair) {
  return std::holds_alternative<Struct>(pair.new_type->body);
}

std::string described(const Model& model, const Field& field) {
  return "id " + std::to_string(field.id) + ", " + spelled(model, field.type);
}

enum class Absence { is_null, is_default, is_error };

Absence absence_of(const Field& field) {
  if (!field.fallback) return Absence::is_error;
  return field.type.kind == Type::Kind::optional ? Absence::is_null : Absence::is_default;
}

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

void report_added(const Scope& scope, Report& report, Absence wanted) {
  for (const TypePair* pair : scope.pairs) {
    if (!is_struct(*pair)) continue;
    for (const Field* field : pair->added) {
      if (absence_of(*field) != wanted) continue;
      const Subject subject = about_added(scope, *pair, *field);
      Finding finding = report.make(subject, "field " + quoted_path(*pair->new_type, field->name) +
                                                 " was added; it defaults to " + absent_value(*field));
      if (scope.policy == Policy::backward) finding.level = Level::note;
      if (wanted == Absence::is_default && !is_empty(*field->fallback)) {
        finding.fix =
            "make the field Optional: readers that skip empty fields "
            "then accept files in which it is not set";
        finding.paste = optional_type(scope, *field);
      }
      set_example(scope, *pair, finding, with_field(*pair->new_type, *field));
      report.add(subject, std::move(finding));
    }
  }
}

std::string default_for(const Scope& scope, const Field& field) {
  constexpr TypeWords kDefaults = {"false", "0", "0.0", "\"\"", {}, {}, {}, "[]", "{}", "null"};
  std::string value(kDefaults.of(field.type.kind));
  if (field.type.kind == Type::Kind::named) {
    const auto* const body = std::get_if<Enum>(&scope.after.model.types[field.type.named].body);
    if (body != nullptr) value = body->values.front().name;
  }
  return value.empty() ? value : "default: " + value;
}

const Field* union_that_took(const Scope& scope, const TypePair& pair, const Field& removed) {
  if (!is_struct(pair) || scope.policy == Policy::pytorch) return nullptr;
  for (const Field& field : pair.new_type->fields()) {
    const auto named = named_in(field.type);
    if (!named || field.type.kind == Type::Kind::list || field.type.kind == Type::Kind::map) continue;
    const Definition& type = scope.after.model.types[*named];
    if (!std::holds_alternative<Union>(type.body)) continue;
    for (const Field& member : type.fields()) {
      const bool same_name = member.name == removed.name || member.name == "as_" + removed.name;
      if (same_name && corresponds(removed.type, member.type, scope.match)) return &field;
    }
  }
  return nullptr;
}

bool may_be_absent(const Field& field) {
  return field.fallback.has_value();
}

enum class Removed { optional, required };

void report_removed(const Scope& scope, Report& report, Removed wanted) {
  for (const TypePair* pair : scope.pairs) {
    if (!is_struct(*pair)) continue;
    for (const Field* field : pair->removed) {
      if ((wanted == Removed::optional) != may_be_absent(*field)) continue;
      if (union_that_took(scope, *pair, *field) != nullptr) continue;
      const Subject subject = about_removed(scope, *pair, *field);
      Finding finding = report.make(subject, "field " + quoted_path(*pair->old_type, field->name) + " (" +
                                                 described(scope.before.model, *field) + ") was removed");
      // Binary data omits nulls, so old readers miss nothing.
      if (field->type.kind == Type::Kind::optional) finding.effects.binary_forward = Verdict::yes;
      set_example(scope, *pair, finding, with_field(*pair->old_type, *field));
      finding.fix = "keep it, and deprecate it in favor of another field";
      std::string line = field_line(scope.before.model, *field, field->name, field->id);
      finding.paste = line.substr(0, line.size() - 1) + ", deprecated: \"...\"}";
      report.add(subject, std::move(finding));
    }
  }
}

bool contains(const std::vector<std::int32_t>& ids, std::int32_t id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}
bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

struct Unreserved {
  std::vector<std::int32_t> ids;
  std::vector<std::string> names;

  bool is_one() const { return ids.size() + names.size() == 1; }
};

std::string listed(const Unreserved& unreserved) {
  const auto& [ids, names] = unreserved;
  std::string out;
  for (const std::int32_t id : ids) out += (out.empty() ? "" : ", ") + std::to_string(id);
  if (!ids.empty()) out.insert(0, ids.size() == 1 ? "id " : "ids ");
  if (names.empty()) return out;
  out += ids.empty() ? "" : " and ";
  out += names.size() == 1 ? "name " : "names ";
  for (std::size_t i = 0; i < names.size(); ++i) out += (i == 0 ? "" : ", ") + schemagen::quoted(names[i]);
  return out;
}

/// Other rules report ids and names that are already used again.
Unreserved unreserved_of(const TypePair& pair, const Field& removed) {
  const Definition& type = *pair.new_type;
  Unreserved result;
  if (!contains(type.reserved.ids, removed.id) && pair.new_fields.numbered(removed.id) == nullptr)
    result.ids = {removed.id};
  if (!contains(type.reserved.names, removed.name) && pair.new_fields.named(removed.name) == nullptr) {
    result.names = {removed.name};
  }
  return result;
}

std::vector<const Field*> gone_or_renamed(const TypePair& pair) {
  std::vector<const Field*> fields = pair.removed;
  for (const auto& [from, to] : pair.fields) {
    if (from->name != to->name) fields.push_back(from);
  }
  return fields;
}

struct OldUse {
  std::string what;
  std::string when;
  Place place;
  bool is_reserved = false;
};

std::string use_text(const Model& model, const Field& field) {
  return schemagen::quoted(field.name) + " (" + spelled(model, field.type) + ")";
}

struct EarlierField {
  const Release* release = nullptr;
  const Field* field = nullptr;
};

template <typename IsWanted>
EarlierField earlier_field(const Scope& scope, const TypePair& pair, IsWanted is_wanted) {
  if (!scope.is_whole()) return {};
  const auto [release, field] =
      find_in_history<Field>(scope, pair.old_type->name, [&](const Definition& type) -> const Field* {
        const std::vector<Field>& fields = type.fields();
        const auto found = std::find_if(fields.begin(), fields.end(), is_wanted);
        return found == fields.end() ? nullptr : &*found;
      });
  return {release, field};
}

EarlierField earlier_field_named(const Scope& scope, const TypePair& pair, const std::string& name) {
  return earlier_field(scope, pair, [&](const Field& field) { return field.name == name; });
}

bool has_type_of(const EarlierField& earlier, const Scope& scope, const Field& field) {
  return spelled(earlier.release->model, earlier.field->type) == spelled(scope.after.model, field.type);
}

OldUse use_of(const EarlierField& earlier) {
  return {use_text(earlier.release->model, *earlier.field), " in " + spelled(earlier.release->model.version),
          earlier.release->at(earlier.field->span)};
}

OldUse reserved_use(const Scope& scope, const TypePair& pair) {
  return {"reserved", "", scope.before.at(pair.old_type->reserved.span), true};
}

/// A removed field may return with its id.
OldUse old_use_of_id(const Scope& scope, const TypePair& pair, const Field* origin, const Field& field) {
  if (origin != nullptr && origin->id == field.id) return {};
  if (const Field* const other = pair.old_fields.numbered(field.id)) {
    return {use_text(scope.before.model, *other), "", scope.before.at(other->span)};
  }
  const EarlierField earlier =
      earlier_field(scope, pair, [&](const Field& other) { return other.id == field.id; });
  if (earlier.field != nullptr) {
    const bool is_itself = earlier.field->name == field.name && has_type_of(earlier, scope, field);
    return is_itself ? OldUse{} : use_of(earlier);
  }
  const bool is_reserved = scope.is_whole() && contains(pair.old_type->reserved.ids, field.id);
  return is_reserved ? reserved_use(scope, pair) : OldUse{};
}

/// JSON has no ids, so a field of the same type is the same field.
OldUse old_use_of_name(const Scope& scope, const TypePair& pair, const Field& field) {
  if (pair.old_fields.named(field.name) != nullptr) return {};
  const EarlierField earlier = earlier_field_named(scope, pair, field.name);
  if (earlier.field != nullptr) return has_type_of(earlier, scope, field) ? OldUse{} : use_of(earlier);
  return contains(pair.old_type->reserved.names, field.name) ? reserved_use(scope, pair) : OldUse{};
}

Finding other_id(const Subject& subject, const Report& report, const Definition& type, const Field& field,
                 std::int32_t old_id, const std::string& when) {
  Finding finding =
      report.make(subject, "id of " + quoted_path(type, field.name) + " changed from " +
                               std::to_string(old_id) + when + " to " + std::to_string(field.id));
  finding.fix = "restore its id";
  finding.paste = "id: " + std::to_string(old_id);
  return finding;
}

Span id_place(const Field& field) {
  return field.id_span.line > 0 ? field.id_span : field.span;
}

const FieldPair* exchanged_with(const TypePair& pair, const FieldPair& fields) {
  const auto other = std::find_if(pair.fields.begin(), pair.fields.end(), [&](const FieldPair& one) {
    return one.first->id != one.second->id && one.first->id == fields.second->id &&
           one.second->id == fields.first->id;
  });
  return other == pair.fields.end() ? nullptr : &*other;
}

void report_exchange(const Scope& scope, Report& report, const TypePair& pair, const FieldPair& fields,
                     const FieldPair& other) {
  Subject subject = about_field(scope, pair, fields);
  subject.after.span = id_place(*fields.second);
  subject.before.span = id_place(*fields.first);
  const std::string old_id = std::to_string(fields.first->id);
  const std::string new_id = std::to_string(fields.second->id);
  Finding finding = report.make(subject, quoted_path(*pair.new_type, fields.second->name) + " and " +
                                             schemagen::quoted(other.second->name) +
                                             " exchanged ids: " + old_id + " and " + new_id);
  if (scope.is_new_major() || !scope.is_whole()) finding.level = Level::breaking;
  set_example(scope, pair, finding, with_field(*pair.old_type, *fields.first));
  finding.fix = "restore the ids: " + schemagen::quoted(fields.second->name) + " has id " + old_id + ", " +
                schemagen::quoted(other.second->name) + " has id " + new_id;
  report.add(subject, std::move(finding));
}

}  // namespace

void field_added_optional(const Scope& scope, Report& report) {
  report_added(scope, report, Absence::is_null);
}

void field_added_defaulted(const Scope& scope, Report& report) {
  report_added(scope, report, Absence::is_default);
}

void field_added_required(const Scope& scope, Report& report) {
  for (const TypePair* pair : scope.pairs) {
    if (!is_struct(*pair)) continue;
    for (const Field* field : pair->added) {
      if (absence_of(*field) != Absence::is_error) continue;
      const Subject subject = about_added(scope, *pair, *field);
      Finding finding =
          report.make(subject, "field " + quoted_path(*pair->new_type, field->name) +
                                   " was added without a default: readers reject files that lack it");
      // Binary data omits nulls.
      if (field->type.kind == Type::Kind::optional) finding.effects.binary_backward = Verdict::yes;
      set_example(scope, *pair, finding, [&](Flow flow, const SmallValues& values) {
        return values.of_type(is_backward(flow) ? pair->before : pair->after);
      });
      finding.fix = "give it a default";
      finding.paste = default_for(scope, *field);
      if (finding.paste.empty()) {
        finding.fix = "make it Optional";
        finding.paste = optional_type(scope, *field);
      }
      report.add(subject, std::move(finding));
    }
  }
}

void field_removed_optional(const Scope& scope, Report& report) {
  report_removed(scope, report, Removed::optional);
}

void field_removed_required(const Scope& scope, Report& report) {
  report_removed(scope, report, Removed::required);
}

void field_removed_not_reserved(const Scope& scope, Report& report) {
  if (!scope.is_whole()) return;
  for (const TypePair* pair : scope.pairs) {
    Unreserved all;
    const Field* first = nullptr;
    for (const Field* field : gone_or_renamed(*pair)) {
      Unreserved one = unreserved_of(*pair, *field);
      if (first == nullptr && !(one.ids.empty() && one.names.empty())) first = field;
      std::move(one.ids.begin(), one.ids.end(), std::back_inserter(all.ids));
      std::move(one.names.begin(), one.names.end(), std::back_inserter(all.names));
    }
    if (first == nullptr) continue;
    Subject subject = about_type(scope, *pair);
    subject.before.span = first->span;
    Finding finding = report.make(subject, listed(all) + " of " + schemagen::quoted(pair->new_type->name) +
                                               " could be used again with a different meaning");
    finding.fix = "add to " + schemagen::quoted(pair->new_type->name);
    finding.paste = reserved_line(*pair->new_type, all.ids, all.names);
    report.add(subject, only_warning_in_new_major(scope, std::move(finding)));
  }
}

void field_moved_into_union(const Scope& scope, Report& report) {
  for (const TypePair* pair : scope.pairs) {
    for (const Field* field : pair->removed) {
      const Field* const into = union_that_took(scope, *pair, *field);
      if (into == nullptr) continue;
      Subject subject = about_removed(scope, *pair, *field);
      subject.after.span = into->span;
      Finding finding = report.make(subject, "field " + quoted_path(*pair->old_type, field->name) +
                                                 " was moved into the union in " +
                                                 quoted_path(*pair->new_type, into->name));
      set_example(scope, *pair, finding, with_field(*pair->old_type, *field));
      finding.fix = "keep the field next to the union, and deprecate it";
      report.add(subject, std::move(finding));
    }
  }
}

void field_id_changed(const Scope& scope, Report& report) {
  for (const TypePair* pair : scope.pairs) {
    for (const FieldPair& fields : pair->fields) {
      // field_id_reused() reports fields that exchanged ids.
      if (fields.first->id == fields.second->id || exchanged_with(*pair, fields) != nullptr) continue;
      Subject subject = about_field(scope, *pair, fields);
      subject.after.span = id_place(*fields.second);
      subject.before.span = id_place(*fields.first);
      Finding finding = other_id(subject, report, *pair->new_type, *fields.second, fields.first->id, "");
      set_example(scope, *pair, finding, with_field(*pair->old_type, *fields.first));
      report.add(subject, std::move(finding));
    }
    for (const Field* field : pair->added) {
      const EarlierField earlier = earlier_field_named(scope, *pair, field->name);
      if (earlier.field == nullptr || earlier.field->id == field->id ||
          !has_type_of(earlier, scope, *field)) {
        continue;
      }
      Subject subject = about_added(scope, *pair, *field);
      subject.after.span = id_place(*field);
      subject.before = earlier.release->at(id_place(*earlier.field));
      subject.before_text = "it was here";
      report.add(subject, other_id(subject, report, *pair->new_type, *field, earlier.field->id,
                                   " in " + spelled(earlier.release->model.version)));
    }
  }
}

void field_id_reused(const Scope& scope, Report& report) {
  for (const TypePair* pair : scope.pairs) {
    FreeNumbers free(scope, *pair);
    std::vector<FieldPair> fields = pair->fields;
    for (const Field* field : pair->added) fields.emplace_back(nullptr, field);
    for (const auto& [origin, field] : fields) {
      const OldUse use = old_use_of_id(scope, *pair, origin, *field);
      if (use.what.empty()) continue;
      if (const FieldPair* const other =
              origin == nullptr ? nullptr : exchanged_with(*pair, {origin, field})) {
        if (std::less<>()(origin, other->first))
          report_exchange(scope, report, *pair, {origin, field}, *other);
        continue;
      }
      Subject subject = about_added(scope, *pair, *field);
      subject.after.span = id_place(*field);
      subject.before = use.place;
      subject.before_text = use.is_reserved ? "reserved here" : "used here";
      Finding finding = report.make(
          subject, "id " + std::to_string(field->id) + " of " + quoted_path(*pair->new_type, field->name) +
                       (use.is_reserved ? " was " : " belonged to ") + use.what + use.when);
      if (scope.is_new_major() || !scope.is_whole()) finding.level = Level::breaking;
      if (const Field* const old = pair->old_fields.numbered(field->id))
        set_example(scope, *pair, finding, with_field(*pair->old_type, *old));
      finding.fix = origin == nullptr ? "use an id that has never been used" : "restore its id";
      finding.paste = "id: " + std::to_string(origin == nullptr ? free.next() : origin->id);
      report.add(subject, std::move(finding));
    }
  }
}

void field_name_reused(const Scope& scope, Report& report) {
  if (!scope.is_whole()) return;
  for (const TypePair* pair : scope.pairs) {
    for (const Field& field : pair->new_type->fields()) {
      if (!pair->has_same_kind()) continue;
      const OldUse use = old_use_of_name(scope, *pair, field);
      if (use.what.empty()) continue;
      Subject subject = about_added(scope, *pair, field);
      subject.before = use.place;
      subject.before_text = use.is_reserved ? "reserved here" : "used here";
      Finding finding = report.make(
          subject, "the name of " + quoted_path(*pair->new_type, field.name) +
                       (use.is_reserved ? " was " + use.what
                                        : " belonged to another field" + use.when + ": " + use.what));
      if (scope.is_new_major()) finding.level = Level::breaking;
      finding.fix = "choose a name that has never been used";
      report.add(subject, std::move(finding));
    }
  }
}

void field_renamed(const Scope& scope, Report& report) {
  for (const TypePair* pair : scope.pairs) {
    for (const FieldPair& fields : pair->fields) {
      const Field& from = *fields.first;
      const Field& to = *fields.second;
      if (from.name == to.name) continue;
      const Subject subject = about_field(scope, *pair, fields);
      Finding finding = report.make(
          subject, noun_of(*pair->new_type) + " " + quoted_path(*pair->old_type, from.name) + " (id " +
                       std::to_string(to.id) + ") was renamed to " + schemagen::quoted(to.name));
      set_example(scope, *pair, finding, with_field(*pair->old_type, from));
      finding.fix = "keep the name in files, and rename it in C++ only";
      std::string line = field_line(scope.after.model, to, from.name, to.id);
      finding.paste = line.substr(0, line.size() - 1) + ", cpp_name: " + to.cpp_name.value_or(to.name) + "}";
      report.add(subject, std::move(finding));
    }
  }
}

void field_reordered(const Scope& scope, Report& report) {
  if (!scope.is_whole()) return;
  for (const TypePair* pair : scope.pairs) {
    const auto moved =
        std::is_sorted_until(pair->fields.begin(), pair->fields.end(),
                             [](const FieldPair& a, const FieldPair& b) { return a.first < b.first; });
    if (moved == pair->fields.end()) continue;
    const std::string& predecessor = std::prev(moved)->second->name;
    Subject subject = about_type(scope, *pair);
    subject.after.span = moved->second->span;
    subject.before.span = moved->first->span;
    report.add(subject, "the " + noun_of(*pair->new_type) + "s of " +
                            schemagen::quoted(pair->new_type->name) +
                            " were reordered: " + schemagen::quoted(predecessor) + " now precedes " +
                            schemagen::quoted(moved->second->name));
  }
}

void reserved_removed(const Scope& scope, Report& report) {
  if (!scope.is_whole()) return;
  for (const TypePair* pair : scope.pairs) {
    const Definition& type = *pair->new_type;
    Unreserved lost;
    for (const std::int32_t id : pair->old_type->reserved.ids) {
      const bool is_used =
          pair->new_fields.numbered(id) != nullptr || pair->new_values.numbered(id) != nullptr;
      if (!is_used && !contains(type.reserved.ids, id)) lost.ids.push_back(id);
    }
    for (const std::string& name : pair->old_type->reserved.names) {
      const bool is_used = pair->new_fields.named(name) != nullptr || pair->new_values.named(name) != nullptr;
      if (!is_used && !contains(type.reserved.names, name)) lost.names.push_back(name);
    }
    if (lost.ids.empty() && lost.names.empty()) continue;
    Subject subject = about_type(scope, *pair);
    subject.before.span = pair->old_type->reserved.span;
    if (type.reserved.span.line > 0) subject.after.span = type.reserved.span;
    Finding finding = report.make(subject, listed(lost) + " of " + schemagen::quoted(type.name) +
                                               (lost.is_one() ? " is" : " are") + " no longer reserved");
    finding.fix = "add to " + schemagen::quoted(type.name);
    finding.paste = reserved_line(type, lost.ids, lost.names);
    report.add(subject, only_warning_in_new_major(scope, std::move(finding)));
  }
}

}  // namespace generator
