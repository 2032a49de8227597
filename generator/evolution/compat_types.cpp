#include <optional>
#include <set>

#include "evolution/compat_checks.h"
#include "model/layout.h"

namespace generator {
namespace {

std::string line_of(const Field& value, std::int32_t number) {
  return value.name + ": " + std::to_string(number);
}

MakeExample with_member(const Definition& type, const Field& value) {
  return [&](Flow, const SmallValues&) { return value_text(type, value); };
}

/// JSON has names instead.
void spare_json(const TypeCheck& in, Finding& finding) {
  if (in.json_has_names()) finding.effects.json_backward = finding.effects.json_forward = Verdict::yes;
}

std::optional<OldUse> old_use_of_number(const TypeCheck& in, const Field& value) {
  const auto [release, use] = find_in_history(in, [&](const Field& other) { return other.id == value.id; });
  if (use != nullptr) {
    if (use->name == value.name) return std::nullopt;
    return OldUse{quoted(use->name), " in " + spelled(release->model.version), release->at(use->span)};
  }
  return contains(in.before.reserved.ids, value.id) ? std::optional(in.reserved()) : std::nullopt;
}

}  // namespace

void union_member_added(TypeCheck& in, const Field* field) {
  if (!in.after.is_union()) return;
  Finding& finding = in.report.add(
      in.added(*field), "member $ was added; old readers reject files that use it", in.new_path(field->name));
  in.set_example(finding, with_field(in.after, *field));
}

void union_member_removed(TypeCheck& in, const Field* field) {
  if (!in.after.is_union()) return;
  const Model& model = in.scope.before.model;
  Finding& finding = in.report.add(in.removed(*field),
                                   "member $ (id $, $) was removed; new readers reject files that use it",
                                   in.old_path(field->name), field->id, spelled(model, field->type));
  in.set_example(finding, with_field(in.before, *field));
  finding.suggest("keep it, and deprecate it in favor of another member",
                  field_line(model, *field, field->name, "deprecated: \"...\""));
}

void enum_value_added(TypeCheck& in, const Field* value) {
  if (!in.after.is_enum()) return;
  Finding& finding = in.report.add(in.added(*value), "$ ($) was added", in.new_path(value->name), value->id);
  if (!in.json_has_names()) return;
  finding.message += "; old readers reject JSON that uses it";
  finding.level = Level::warning;
  finding.effects.json_forward = Verdict::depends;
  in.set_example(finding, with_member(in.after, *value));
}

void enum_value_removed(TypeCheck& in, const Field* value) {
  if (!in.after.is_enum()) return;
  const std::string lost = in.json_has_names()
                               ? "new readers reject JSON that uses it, and its number in binary files"
                               : "its number in files";
  Finding& finding = in.report.add(in.removed(*value), "$ ($) was removed; $ no longer has a name",
                                   in.old_path(value->name), value->id, lost);
  in.set_example(finding, with_member(in.before, *value));
  finding.suggest("keep it", line_of(*value, value->id));
}

void enum_value_renamed(TypeCheck& in, const FieldPair& values, bool in_json) {
  const auto& [from, to] = values;
  if (!in.after.is_enum() || in.json_has_names() != in_json || from->name == to->name) return;
  Finding& finding = in.report.add(in.changed(values), "$ ($) was renamed to '$'", in.old_path(from->name),
                                   from->id, to->name);
  in.set_example(finding, with_member(in.before, *from));
  if (in_json) {
    finding.suggest("restore its name", line_of(*from, to->id));
  } else {
    finding.suggest("if its meaning changed, use a number that has never been used",
                    line_of(*to, in.free_number()));
  }
}

void enum_json_changed(TypeCheck& in, bool to_names) {
  const bool is_named = in.after.is_named_in_json;
  if (!in.pair.has_same_kind() || in.before.is_named_in_json == is_named || is_named != to_names) return;
  Finding& finding = in.report.add(in.type(), "JSON now stores members of '$' by $", in.after.name,
                                   to_names ? "name instead of number" : "number instead of name");
  const Definition& named = to_names ? in.after : in.before;
  in.set_example(finding, with_member(named, named.values.front()));
  finding.suggest("keep the old form", to_names ? "json: number" : "json: name");
}

void enum_value_renumbered(TypeCheck& in, const FieldPair& values) {
  const auto& [from, to] = values;
  if (!in.after.is_enum() || from->id == to->id) return;
  Finding& finding = in.report.add(in.changed(values), "number of $ changed from $ to $",
                                   in.new_path(to->name), from->id, to->id);
  spare_json(in, finding);
  in.set_example(finding, with_member(in.before, *from));
  finding.suggest("restore its number", line_of(*to, from->id));
}

void enum_number_reused(TypeCheck& in, const Field* value) {
  const auto use = in.after.is_enum() ? old_use_of_number(in, *value) : std::nullopt;
  if (!use) return;
  Finding& finding = in.add_reuse(in.added(*value), *use,
                                  filled("number $ of $$", value->id, in.new_path(value->name), use->text()));
  spare_json(in, finding);
  if (const Field* const old = in.pair.old_fields.numbered(value->id))
    in.set_example(finding, with_member(in.before, *old));
  if (in.scope.is_new_major()) finding.level = Level::breaking;
  finding.suggest("use a number that has never been used", line_of(*value, in.free_number()));
}

void type_added(const Scope& scope, Report& report) {
  for (const std::size_t index : scope.match.added) {
    const Definition& type = scope.after.model.types[index];
    report.add({type.name, &type.allowed, scope.after.at(type.span), scope.before.at({}), ""},
               "$ '$' was added", name_of(type.kind), type.name);
  }
}

void type_removed(const Scope& scope, Report& report) {
  const std::vector<std::size_t> roots = roots_of(scope.before.model);
  const std::set<std::size_t> root_set(roots.begin(), roots.end());
  for (const std::size_t index : scope.match.removed) {
    // A removed root has a more severe finding, except in PyTorch, which has no roots.
    if (scope.policy != Policy::pytorch && root_set.count(index) != 0) continue;
    const Definition& type = scope.before.model.types[index];
    report.add({type.name, &scope.after.model.allowed, scope.after.at({}), scope.before.at(type.span)},
               "$ '$' was removed", name_of(type.kind), type.name);
  }
}

void type_renamed(TypeCheck& in) {
  if (in.before.name == in.after.name) return;
  in.report.add(in.type(), "$ '$' was renamed to '$'", name_of(in.after.kind), in.before.name, in.after.name);
}

void kind_changed(TypeCheck& in) {
  if (in.pair.has_same_kind()) return;
  const auto kind = [](const Definition& type) {
    return (type.is_enum() ? "an " : "a ") + std::string(name_of(type.kind));
  };
  Finding& finding =
      in.report.add(in.type(), "'$' changed from $ to $", in.after.name, kind(in.before), kind(in.after));
  in.set_example(finding, [&](Flow flow, const SmallValues& values) {
    return values.of_type(is_backward(flow) ? in.pair.before : in.pair.after);
  });
  finding.suggest("keep it, and give the new type a different name");
}

void recursion_introduced(const Scope& scope, Report& report) {
  const std::vector<bool> before = recursive_types(scope.before.model);
  const std::vector<bool> after = recursive_types(scope.after.model);
  for (const TypePair* pair : scope.pairs) {
    if (before[pair->before] || !after[pair->after]) continue;
    report.add(TypeCheck{scope, report, *pair}.type(), quoted(pair->new_type->name) + " became recursive");
  }
}

}  // namespace generator
