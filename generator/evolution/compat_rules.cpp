// There are no rules for what this language lacks: sets, JSON aliases, closed enums, enum members with equal
// numbers, empty unions, and limits. Only the runtime knows whether a new major version has an upgrader.
#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "evolution/compat_checks.h"
#include "model/embedded_files.h"

namespace generator {
namespace {

using B = Bump;
using L = Level;
using T = TorchVerdict;

constexpr Verdict kYes = Verdict::yes;
constexpr Verdict kMay = Verdict::depends;
constexpr Verdict kNo = Verdict::no;

// How a rule walks to what its function checks. Without whole<>, it also checks the types inside a field that
// now refers to a different type.

template <auto kCheck>
void whole(const Scope& scope, Report& report) {
  if (scope.is_whole()) kCheck(scope, report);
}

template <auto kCheck, auto... kArguments>
void types(const Scope& scope, Report& report) {
  for (const TypePair* pair : scope.pairs) {
    TypeCheck in{scope, report, *pair};
    kCheck(in, kArguments...);
  }
}

template <auto kItems, auto kCheck, auto... kArguments>
void items(const Scope& scope, Report& report) {
  for (const TypePair* pair : scope.pairs) {
    TypeCheck in{scope, report, *pair};
    for (const auto& item : pair->*kItems) kCheck(in, item, kArguments...);
  }
}

constexpr auto kFields = &TypePair::fields;
constexpr auto kAdded = &TypePair::added;
constexpr auto kRemoved = &TypePair::removed;

// Each rule: id; level; {new readers of old JSON, old readers of new JSON, the same for binary data, code};
// the highest version it needs under the policies full and backward, see Report::limit_to_effects();
// PyTorch's verdict; the walk with the check. docs/schema-rules.md has the texts.
// clang-format off
constexpr RuleRow kRules[] = {
    {"FIELD_ADDED_OPTIONAL", L::note, {kYes, kMay, kYes, kMay, kMay}, B::minor, B::minor, T::minor,
     items<kAdded, field_added, true>},
    {"FIELD_ADDED_DEFAULTED", L::warning, {kYes, kMay, kYes, kMay, kMay}, B::minor, B::minor, T::minor,
     items<kAdded, field_added, false>},
    {"FIELD_ADDED_REQUIRED", L::breaking, {kNo, kMay, kNo, kMay, kMay}, B::major, B::major, T::major,
     items<kAdded, field_added_required>},
    {"FIELD_REMOVED_OPTIONAL", L::breaking, {kMay, kYes, kMay, kYes, kNo}, B::major, B::minor, T::major,
     items<kRemoved, field_removed, true>},
    {"FIELD_REMOVED_REQUIRED", L::breaking, {kMay, kNo, kMay, kNo, kNo}, B::major, B::minor, T::major,
     items<kRemoved, field_removed, false>},
    {"FIELD_REMOVED_NOT_RESERVED", L::error, {kYes, kYes, kYes, kYes, kYes}, B::error, B::error, T::unseen,
     whole<types<field_removed_not_reserved>>},
    {"FIELD_MOVED_INTO_UNION", L::breaking, {kNo, kNo, kNo, kNo, kNo}, B::major, B::major, T::unseen,
     items<kRemoved, field_moved_into_union>},
    {"UNION_MEMBER_ADDED", L::warning, {kYes, kMay, kYes, kMay, kMay}, B::minor, B::minor, T::minor,
     items<kAdded, union_member_added>},
    {"UNION_MEMBER_REMOVED", L::breaking, {kMay, kYes, kMay, kYes, kNo}, B::major, B::major, T::major,
     items<kRemoved, union_member_removed>},
    {"FIELD_REORDERED", L::note, {kYes, kYes, kYes, kYes, kMay}, B::none, B::none, T::unseen,
     whole<types<field_reordered>>},
    {"FIELD_ID_CHANGED", L::breaking, {kYes, kYes, kNo, kNo, kYes}, B::major, B::major, T::unseen,
     types<field_id_changed>},
    {"FIELD_ID_REUSED", L::error, {kYes, kYes, kNo, kNo, kYes}, B::major, B::major, T::unseen,
     types<field_id_reused>},
    {"FIELD_NAME_REUSED", L::error, {kNo, kNo, kYes, kYes, kYes}, B::major, B::major, T::unseen,
     whole<types<field_name_reused>>},
    {"FIELD_RENAMED", L::breaking, {kNo, kNo, kYes, kYes, kNo}, B::major, B::major, T::unseen,
     items<kFields, field_renamed>},
    {"FIELD_TYPE_CHANGED", L::breaking, {kNo, kNo, kNo, kNo, kNo}, B::major, B::major, T::error,
     items<kFields, type_changed, Change::other>},
    {"INT_TO_DOUBLE", L::breaking, {kMay, kNo, kNo, kNo, kNo}, B::major, B::major, T::error,
     items<kFields, type_changed, Change::to_double>},
    {"NUMBER_WIDENED", L::breaking, {kYes, kMay, kYes, kMay, kMay}, B::major, B::minor, T::error,
     items<kFields, type_changed, Change::widened>},
    {"NUMBER_NARROWED", L::breaking, {kMay, kYes, kMay, kYes, kMay}, B::major, B::major, T::error,
     items<kFields, type_changed, Change::narrowed>},
    {"NUMBER_RANGE_CHANGED", L::breaking, {kMay, kMay, kMay, kMay, kMay}, B::major, B::major, T::error,
     items<kFields, type_changed, Change::range_changed>},
    {"STRING_TO_BINARY", L::breaking, {kNo, kNo, kYes, kMay, kNo}, B::major, B::major, T::error,
     items<kFields, type_changed, Change::to_binary>},
    {"BINARY_TO_STRING", L::breaking, {kNo, kNo, kMay, kYes, kNo}, B::major, B::major, T::error,
     items<kFields, type_changed, Change::to_string>},
    {"ENUM_TO_INT", L::breaking, {kYes, kMay, kYes, kNo, kNo}, B::major, B::major, T::error,
     items<kFields, type_changed, Change::enum_to_int>},
    {"INT_TO_ENUM", L::breaking, {kMay, kYes, kNo, kYes, kNo}, B::major, B::major, T::error,
     items<kFields, type_changed, Change::int_to_enum>},
    {"TYPE_TO_ANY", L::breaking, {kYes, kMay, kNo, kNo, kNo}, B::major, B::major, T::error,
     items<kFields, type_changed, Change::to_any>},
    {"ANY_TO_TYPE", L::breaking, {kMay, kYes, kNo, kNo, kNo}, B::major, B::major, T::error,
     items<kFields, type_changed, Change::from_any>},
    {"T_TO_LIST", L::breaking, {kNo, kNo, kNo, kNo, kNo}, B::major, B::major, T::error,
     items<kFields, type_changed, Change::to_list>},
    {"TYPE_RETARGETED", L::note, {kYes, kYes, kYes, kYes, kNo}, B::none, B::major, T::error,
     whole<items<kFields, type_retargeted>>},
    {"REQUIRED_TO_OPTIONAL", L::breaking, {kYes, kMay, kYes, kMay, kNo}, B::major, B::minor, T::error,
     items<kFields, presence_changed, Presence::required, Presence::optional>},
    {"OPTIONAL_TO_REQUIRED", L::breaking, {kMay, kYes, kMay, kYes, kNo}, B::major, B::major, T::error,
     items<kFields, presence_changed, Presence::optional, Presence::required>},
    {"REQUIRED_TO_DEFAULTED", L::note, {kYes, kYes, kYes, kYes, kYes}, B::minor, B::minor, T::minor,
     items<kFields, required_to_defaulted>},
    {"DEFAULTED_TO_REQUIRED", L::breaking, {kMay, kYes, kMay, kYes, kYes}, B::major, B::major, T::major,
     items<kFields, defaulted_to_required>},
    {"OPTIONAL_TO_DEFAULTED", L::breaking, {kMay, kMay, kMay, kMay, kNo}, B::major, B::major, T::error,
     items<kFields, presence_changed, Presence::optional, Presence::defaulted>},
    {"DEFAULTED_TO_OPTIONAL", L::breaking, {kMay, kMay, kMay, kMay, kNo}, B::major, B::minor, T::error,
     items<kFields, presence_changed, Presence::defaulted, Presence::optional>},
    {"DEFAULT_CHANGED", L::breaking, {kMay, kMay, kMay, kMay, kMay}, B::major, B::major, T::unseen,
     items<kFields, default_changed>},
    {"ENUM_VALUE_ADDED", L::note, {kYes, kYes, kYes, kYes, kMay}, B::minor, B::minor, T::minor,
     items<kAdded, enum_value_added>},
    {"ENUM_VALUE_REMOVED", L::breaking, {kMay, kYes, kMay, kYes, kNo}, B::major, B::major, T::major,
     items<kRemoved, enum_value_removed>},
    {"ENUM_VALUE_REMOVED_NOT_RESERVED", L::error, {kYes, kYes, kYes, kYes, kYes}, B::error, B::error, T::unseen,
     whole<types<enum_value_removed_not_reserved>>},
    {"ENUM_VALUE_RENAMED", L::warning, {kYes, kYes, kYes, kYes, kNo}, B::none, B::none, T::unseen,
     items<kFields, enum_value_renamed, false>},
    {"ENUM_JSON_NAME_CHANGED", L::breaking, {kNo, kNo, kYes, kYes, kNo}, B::major, B::major, T::unseen,
     items<kFields, enum_value_renamed, true>},
    {"ENUM_JSON_TO_NAMES", L::breaking, {kYes, kNo, kYes, kYes, kYes}, B::major, B::minor, T::unseen,
     types<enum_json_changed, true>},
    {"ENUM_JSON_TO_NUMBERS", L::breaking, {kNo, kYes, kYes, kYes, kYes}, B::major, B::major, T::unseen,
     types<enum_json_changed, false>},
    {"ENUM_VALUE_RENUMBERED", L::breaking, {kNo, kNo, kNo, kNo, kYes}, B::major, B::major, T::error,
     items<kFields, enum_value_renumbered>},
    {"ENUM_NUMBER_REUSED", L::error, {kNo, kNo, kNo, kNo, kYes}, B::major, B::major, T::unseen,
     whole<items<kAdded, enum_number_reused>>},
    {"TYPE_ADDED", L::note, {kYes, kYes, kYes, kYes, kYes}, B::minor, B::minor, T::minor,
     whole<type_added>},
    {"TYPE_REMOVED", L::warning, {kYes, kYes, kYes, kYes, kNo}, B::minor, B::minor, T::minor,
     whole<type_removed>},
    {"TYPE_RENAMED", L::note, {kYes, kYes, kYes, kYes, kNo}, B::none, B::none, T::unseen,
     whole<types<type_renamed>>},
    {"KIND_CHANGED", L::breaking, {kNo, kNo, kNo, kNo, kNo}, B::major, B::major, T::error,
     types<kind_changed>},
    {"RECURSION_INTRODUCED", L::note, {kYes, kYes, kYes, kYes, kMay}, B::none, B::none, T::unseen,
     whole<recursion_introduced>},
    {"RESERVED_REMOVED", L::error, {kYes, kYes, kYes, kYes, kYes}, B::error, B::error, T::unseen,
     whole<types<reserved_removed>>},
    {"ROOT_ADDED", L::note, {kYes, kYes, kYes, kYes, kYes}, B::minor, B::minor, T::unseen,
     whole<root_added>},
    {"ROOT_REMOVED", L::breaking, {kNo, kYes, kNo, kYes, kNo}, B::major, B::major, T::unseen,
     whole<root_removed>},
    {"ROOT_RENAMED", L::breaking, {kYes, kYes, kNo, kNo, kNo}, B::major, B::major, T::unseen,
     whole<root_renamed>},
    {"SCHEMA_RENAMED", L::breaking, {kYes, kYes, kNo, kNo, kNo}, B::major, B::major, T::unseen,
     whole<schema_renamed>},
    {"CONSTANT_ADDED", L::note, {kYes, kYes, kYes, kYes, kYes}, B::none, B::none, T::unseen,
     whole<constant_added>},
    {"CONSTANT_REMOVED", L::warning, {kYes, kYes, kYes, kYes, kNo}, B::none, B::none, T::unseen,
     whole<constant_removed>},
    {"CONSTANT_CHANGED", L::warning, {kMay, kMay, kMay, kMay, kYes}, B::minor, B::minor, T::unseen,
     whole<constant_changed>},
    {"DOC_CHANGED", L::note, {kYes, kYes, kYes, kYes, kYes}, B::none, B::none, T::unseen,
     whole<types<doc_changed>>},
    {"DEPRECATED_CHANGED", L::note, {kYes, kYes, kYes, kYes, kYes}, B::none, B::none, T::unseen,
     whole<types<deprecated_changed>>},
    {"CPP_ATTRIBUTE_CHANGED", L::note, {kYes, kYes, kYes, kYes, kNo}, B::none, B::none, T::unseen,
     whole<types<cpp_attribute_changed>>},
    {"SUPPRESSION_UNUSED", L::warning, {kYes, kYes, kYes, kYes, kYes}, B::none, B::none, T::unseen,
     whole<suppression_unused>},
    {"VERSION_NOT_BUMPED", L::error, {kYes, kYes, kYes, kYes, kYes}, B::none, B::none, T::wrong_version,
     whole<version_not_bumped>},
    {"VERSION_DOWNGRADED", L::error, {kYes, kYes, kYes, kYes, kYes}, B::none, B::none, T::wrong_version,
     whole<version_downgraded>},
    {"VERSION_SKIPPED", L::note, {kYes, kYes, kYes, kYes, kYes}, B::none, B::none, T::wrong_version,
     whole<version_skipped>},
};
// clang-format on

std::string unwrapped(std::string_view paragraph) {
  std::string line(paragraph);
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

/// A section of the page has the rule's id as its heading, and paragraphs: purpose, why, example, what to do.
std::vector<Rule> with_texts(std::string_view page) {
  page.remove_suffix(1);
  std::map<std::string_view, std::vector<std::string_view>> sections;
  for (std::vector<std::string_view>* section = &sections[""]; !page.empty();) {
    const std::string_view paragraph = page.substr(0, page.find("\n\n"));
    page.remove_prefix(std::min(paragraph.size() + 2, page.size()));
    constexpr std::string_view kHeading = "## ";
    if (paragraph.substr(0, kHeading.size()) == kHeading) {
      section = &sections[paragraph.substr(kHeading.size())];
    } else {
      section->push_back(paragraph);
    }
  }
  std::vector<Rule> rules;
  for (const RuleRow& row : kRules) {
    const std::vector<std::string_view>& texts = sections.at(row.id);
    constexpr std::string_view kFence = "```diff\n";
    const std::string_view example =
        texts.at(2).substr(kFence.size(), texts.at(2).rfind("```") - kFence.size());
    rules.push_back({row, unwrapped(texts.at(0)), unwrapped(texts.at(1)), example, unwrapped(texts.at(3))});
  }
  return rules;
}

}  // namespace

const std::vector<Rule>& rules() {
  static const std::vector<Rule> all = with_texts(embedded_files().at("schema-rules.md"));
  return all;
}

const Rule* find_rule(std::string_view id) {
  const auto found =
      std::find_if(rules().begin(), rules().end(), [&](const Rule& rule) { return rule.id == id; });
  return found == rules().end() ? nullptr : &*found;
}

Names rule_ids() {
  Names ids;
  for (const Rule& rule : rules()) ids.push_back(rule.id);
  return ids;
}

bool is_about_version(const Rule& rule) {
  return rule.torch == TorchVerdict::wrong_version;
}

}  // namespace generator
