#include <algorithm>
#include <optional>
#include <set>
#include <variant>

#include "evolution/compat_checks.h"
#include "model/layout.h"
#include "schemagen/base/quote.h"

namespace generator {
namespace {

bool is_union(const TypePair& pair) {
  return std::holds_alternative<Union>(pair.new_type->body);
}

std::string numbered(const EnumValue& value) {
  return " (" + std::to_string(value.number) + ")";
}

template <typename Items, typename Item>
bool contains(const Items& items, const Item& item) {
  return std::find(items.begin(), items.end(), item) != items.end();
}

bool json_has_names(const TypePair& pair) {
  return is_named_in_json(*pair.old_type) && is_named_in_json(*pair.new_type);
}

MakeExample with_member(const Definition& type, const EnumValue& value) {
  return [&](Flow, const SmallValues&) {
    return is_named_in_json(type) ? "\"" + value.name + "\"" : std::to_string(value.number);
  };
}

/// JSON has names instead.
void spare_json(const TypePair& pair, Finding& finding) {
  if (json_has_names(pair)) finding.effects.json_backward = finding.effects.json_forward = Verdict::yes;
}

bool is_reserved(const TypePair& pair, const EnumValue& value) {
  // Another rule reports numbers that are already used again.
  return contains(pair.new_type->reserved.ids, value.number) ||
         pair.new_values.numbered(value.number) != nullptr;
}

struct OldNumber {
  std::string what;
  Place place;
  bool is_reserved = false;
};

std::optional<OldNumber> old_use_of_number(const Scope& scope, const TypePair& pair, const EnumValue& value) {
  const auto [release, use] =
      find_in_history<EnumValue>(scope, pair.old_type->name, [&](const Definition& type) -> const EnumValue* {
        const auto* body = std::get_if<Enum>(&type.body);
        if (body == nullptr) return nullptr;
        const auto found = std::find_if(body->values.begin(), body->values.end(),
                                        [&](const EnumValue& other) { return other.number == value.number; });
        return found == body->values.end() ? nullptr : &*found;
      });
  if (use != nullptr) {
    if (use->name == value.name) return std::nullopt;
    return OldNumber{schemagen::quoted(use->name) + " in " + spelled(release->model.version),
                     release->at(use->span)};
  }
  if (!contains(pair.old_type->reserved.ids, value.number)) return std::nullopt;
  return OldNumber{"reserved", scope.before.at(pair.old_type->reserved.span), true};
}

void report_renamed(const Scope& scope, Report& report, bool in_json) {
  for (const TypePair* pair : scope.pairs) {
    if (json_has_names(*pair) != in_json) continue;
    FreeNumbers free(scope, *pair);
    for (const auto& [from, to] : pair->values) {
      if (from->name == to->name) continue;
      const Subject subject = about_value(scope, *pair, {from, to});
      Finding finding = report.make(subject, quoted_path(*pair->old_type, from->name) + numbered(*from) +
                                                 " was renamed to " + schemagen::quoted(to->name));
      set_example(scope, *pair, finding, with_member(*pair->old_type, *from));
      finding.fix =
          in_json ? "restore its name" : "if its meaning changed, use a number that has never been used";
      finding.paste = in_json ? from->name + ": " + std::to_string(to->number)
                              : to->name + ": " + std::to_string(free.next());
      report.add(subject, std::move(finding));
    }
  }
}

void report_json_form(const Scope& scope, Report& report, bool to_names) {
  for (const TypePair* pair : scope.pairs) {
    const bool is_named = is_named_in_json(*pair->new_type);
    if (!pair->has_same_kind() || is_named_in_json(*pair->old_type) == is_named || is_named != to_names)
      continue;
    const Subject subject = about_type(scope, *pair);
    Finding finding =
        report.make(subject, "JSON now stores members of " + schemagen::quoted(pair->new_type->name) +
                                 (to_names ? " by name instead of number" : " by number instead of name"));
    const Definition& named = to_names ? *pair->new_type : *pair->old_type;
    set_example(scope, *pair, finding, with_member(named, std::get<Enum>(named.body).values.front()));
    finding.fix = "keep the old form";
    finding.paste = to_names ? "json: number" : "json: name";
    report.add(subject, std::move(finding));
  }
}

}  // namespace

void union_member_added(const Scope& scope, Report& report) {
  for (const TypePair* pair : scope.pairs) {
    if (!is_union(*pair)) continue;
    for (const Field* field : pair->added) {
      const Subject subject = about_added(scope, *pair, *field);
      Finding finding = report.make(subject, "member " + quoted_path(*pair->new_type, field->name) +
                                                 " was added; old readers reject files that use it");
      set_example(scope, *pair, finding, with_field(*pair->new_type, *field));
      report.add(subject, std::move(finding));
    }
  }
}

void union_member_removed(const Scope& scope, Report& report) {
  for (const TypePair* pair : scope.pairs) {
    if (!is_union(*pair)) continue;
    for (const Field* field : pair->removed) {
      const Subject subject = about_removed(scope, *pair, *field);
      Finding finding = report.make(subject, "member " + quoted_path(*pair->old_type, field->name) + " (id " +
                                                 std::to_string(field->id) + ", " +
                                                 spelled(scope.before.model, field->type) +
                                                 ") was removed; new readers reject files that use it");
      set_example(scope, *pair, finding, with_field(*pair->old_type, *field));
      finding.fix = "keep it, and deprecate it in favor of another member";
      std::string line = field_line(scope.before.model, *field, field->name, field->id);
      finding.paste = line.substr(0, line.size() - 1) + ", deprecated: \"...\"}";
      report.add(subject, std::move(finding));
    }
  }
}

void enum_value_added(const Scope& scope, Report& report) {
  for (const TypePair* pair : scope.pairs) {
    for (const EnumValue* value : pair->added_values) {
      const Subject subject = about_added(scope, *pair, *value);
      Finding finding =
          report.make(subject, quoted_path(*pair->new_type, value->name) + numbered(*value) + " was added");
      if (json_has_names(*pair)) {
        finding.message += "; old readers reject JSON that uses it";
        finding.level = Level::warning;
        finding.effects.json_forward = Verdict::depends;
        set_example(scope, *pair, finding, with_member(*pair->new_type, *value));
      }
      report.add(subject, std::move(finding));
    }
  }
}

void enum_value_removed(const Scope& scope, Report& report) {
  for (const TypePair* pair : scope.pairs) {
    for (const EnumValue* value : pair->removed_values) {
      const Subject subject = about_removed(scope, *pair, *value);
      const bool is_named = json_has_names(*pair);
      Finding finding = report.make(
          subject, quoted_path(*pair->old_type, value->name) + numbered(*value) + " was removed; " +
                       (is_named ? "new readers reject JSON that uses it, and its number in binary files"
                                 : "its number in files") +
                       " no longer has a name");
      set_example(scope, *pair, finding, with_member(*pair->old_type, *value));
      finding.fix = "keep it";
      finding.paste = value->name + ": " + std::to_string(value->number);
      report.add(subject, std::move(finding));
    }
  }
}

void enum_value_removed_not_reserved(const Scope& scope, Report& report) {
  if (!scope.is_whole()) return;
  for (const TypePair* pair : scope.pairs) {
    std::vector<std::int32_t> numbers;
    std::vector<std::string> names;
    std::string list;
    const EnumValue* first = nullptr;
    for (const EnumValue* value : pair->removed_values) {
      if (is_reserved(*pair, *value)) continue;
      if (first == nullptr) first = value;
      numbers.push_back(value->number);
      if (json_has_names(*pair)) names.push_back(value->name);
      list += (list.empty() ? "" : ", ") + std::to_string(value->number);
    }
    if (first == nullptr) continue;
    Subject subject = about_type(scope, *pair);
    subject.before.span = first->span;
    Finding finding = report.make(subject, (numbers.size() == 1 ? "number " : "numbers ") + list + " of " +
                                               schemagen::quoted(pair->new_type->name) +
                                               " could be used again with a different meaning");
    finding.fix = "add to " + schemagen::quoted(pair->new_type->name);
    finding.paste = reserved_line(*pair->new_type, numbers, names);
    report.add(subject, only_warning_in_new_major(scope, std::move(finding)));
  }
}

void enum_value_renamed(const Scope& scope, Report& report) {
  report_renamed(scope, report, false);
}
void enum_json_name_changed(const Scope& scope, Report& report) {
  report_renamed(scope, report, true);
}

void enum_json_to_names(const Scope& scope, Report& report) {
  report_json_form(scope, report, true);
}
void enum_json_to_numbers(const Scope& scope, Report& report) {
  report_json_form(scope, report, false);
}

void enum_value_renumbered(const Scope& scope, Report& report) {
  for (const TypePair* pair : scope.pairs) {
    for (const auto& [from, to] : pair->values) {
      if (from->number == to->number) continue;
      const Subject subject = about_value(scope, *pair, {from, to});
      Finding finding =
          report.make(subject, "number of " + quoted_path(*pair->new_type, to->name) + " changed from " +
                                   std::to_string(from->number) + " to " + std::to_string(to->number));
      spare_json(*pair, finding);
      set_example(scope, *pair, finding, with_member(*pair->old_type, *from));
      finding.fix = "restore its number";
      finding.paste = to->name + ": " + std::to_string(from->number);
      report.add(subject, std::move(finding));
    }
  }
}

void enum_number_reused(const Scope& scope, Report& report) {
  if (!scope.is_whole()) return;
  for (const TypePair* pair : scope.pairs) {
    FreeNumbers free(scope, *pair);
    for (const EnumValue* value : pair->added_values) {
      const auto use = old_use_of_number(scope, *pair, *value);
      if (!use) continue;
      Subject subject = about_added(scope, *pair, *value);
      subject.before = use->place;
      subject.before_text = use->is_reserved ? "reserved here" : "used here";
      Finding finding = report.make(subject, "number " + std::to_string(value->number) + " of " +
                                                 quoted_path(*pair->new_type, value->name) +
                                                 (use->is_reserved ? " was " : " belonged to ") + use->what);
      spare_json(*pair, finding);
      if (const EnumValue* const old = pair->old_values.numbered(value->number))
        set_example(scope, *pair, finding, with_member(*pair->old_type, *old));
      if (scope.is_new_major()) finding.level = Level::breaking;
      finding.fix = "use a number that has never been used";
      finding.paste = value->name + ": " + std::to_string(free.next());
      report.add(subject, std::move(finding));
    }
  }
}

void type_added(const Scope& scope, Report& report) {
  if (!scope.is_whole()) return;
  for (const std::size_t index : scope.match.added) {
    const Definition& type = scope.after.model.types[index];
    report.add(about_new_type(scope, type),
               std::string(kind_of(type)) + " " + schemagen::quoted(type.name) + " was added");
  }
}

void type_removed(const Scope& scope, Report& report) {
  if (!scope.is_whole()) return;
  const std::vector<std::size_t> roots = roots_of(scope.before.model);
  const std::set<std::size_t> root_set(roots.begin(), roots.end());
  for (const std::size_t index : scope.match.removed) {
    // A removed root has a more severe finding, except in PyTorch, which has no roots.
    if (scope.policy != Policy::pytorch && root_set.count(index) != 0) continue;
    const Definition& type = scope.before.model.types[index];
    report.add(about_old_type(scope, type),
               std::string(kind_of(type)) + " " + schemagen::quoted(type.name) + " was removed");
  }
}

void type_renamed(const Scope& scope, Report& report) {
  if (!scope.is_whole()) return;
  for (const TypePair* pair : scope.pairs) {
    if (pair->old_type->name == pair->new_type->name) continue;
    const Subject subject = about_type(scope, *pair);
    Finding finding = report.make(subject, std::string(kind_of(*pair->new_type)) + " " +
                                               schemagen::quoted(pair->old_type->name) + " was renamed to " +
                                               schemagen::quoted(pair->new_type->name));
    report.add(subject, std::move(finding));
  }
}

void kind_changed(const Scope& scope, Report& report) {
  for (const TypePair* pair : scope.pairs) {
    if (pair->has_same_kind()) continue;
    const Subject subject = about_type(scope, *pair);
    Finding finding = report.make(subject, schemagen::quoted(pair->new_type->name) + " changed from " +
                                               (pair->old_type->body.index() == 2 ? "an " : "a ") +
                                               std::string(kind_of(*pair->old_type)) + " to " +
                                               (pair->new_type->body.index() == 2 ? "an " : "a ") +
                                               std::string(kind_of(*pair->new_type)));
    set_example(scope, *pair, finding, [&](Flow flow, const SmallValues& values) {
      return values.of_type(is_backward(flow) ? pair->before : pair->after);
    });
    finding.fix = "keep it, and give the new type a different name";
    report.add(subject, std::move(finding));
  }
}

void recursion_introduced(const Scope& scope, Report& report) {
  if (!scope.is_whole()) return;
  const std::vector<bool> before = recursive_types(scope.before.model);
  const std::vector<bool> after = recursive_types(scope.after.model);
  for (const TypePair* pair : scope.pairs) {
    if (before[pair->before] || !after[pair->after]) continue;
    report.add(about_type(scope, *pair), schemagen::quoted(pair->new_type->name) + " became recursive");
  }
}

}  // namespace generator
