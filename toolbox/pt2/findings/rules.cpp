#include "pt2/findings/rules.h"

#include <algorithm>
#include <iterator>

#include "pt2/tables/rule_page.h"
#include "schemagen/base/error.h"
#include "schemagen/base/near_name.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

struct RuleRow {
  RuleId id;
  const char* name;
  Severity severity;
  FoundBy found_by = FoundBy::verify;
};

constexpr RuleRow kRuleRows[] = {
    {RuleId::archive_record, "ARCHIVE_RECORD", Severity::error},
    {RuleId::argument_kind, "ARGUMENT_KIND", Severity::error},
    {RuleId::argument_missing, "ARGUMENT_MISSING", Severity::error},
    {RuleId::argument_repeated, "ARGUMENT_REPEATED", Severity::error},
    {RuleId::argument_type, "ARGUMENT_TYPE", Severity::error},
    {RuleId::argument_unknown, "ARGUMENT_UNKNOWN", Severity::error},
    {RuleId::argument_unnamed, "ARGUMENT_UNNAMED", Severity::error},
    {RuleId::enum_unknown, "ENUM_UNKNOWN", Severity::error},
    {RuleId::expression_code, "EXPRESSION_CODE", Severity::error, FoundBy::both},
    {RuleId::expression_syntax, "EXPRESSION_SYNTAX", Severity::error},
    {RuleId::field_skipped, "FIELD_SKIPPED", Severity::warning, FoundBy::check},
    {RuleId::guard_code, "GUARD_CODE", Severity::error, FoundBy::both},
    {RuleId::guard_syntax, "GUARD_SYNTAX", Severity::warning},
    {RuleId::hint_kind, "HINT_KIND", Severity::error},
    {RuleId::hint_range, "HINT_RANGE", Severity::error},
    {RuleId::input_kind, "INPUT_KIND", Severity::error},
    {RuleId::loss_repeated, "LOSS_REPEATED", Severity::error},
    {RuleId::member_missing, "MEMBER_MISSING", Severity::error},
    {RuleId::metadata_syntax, "METADATA_SYNTAX", Severity::error},
    {RuleId::meta_device, "META_DEVICE", Severity::warning},
    {RuleId::meta_device_index, "META_DEVICE_INDEX", Severity::error},
    {RuleId::meta_dtype, "META_DTYPE", Severity::error},
    {RuleId::meta_gradient, "META_GRADIENT", Severity::error},
    {RuleId::meta_layout, "META_LAYOUT", Severity::warning},
    {RuleId::meta_rank, "META_RANK", Severity::error},
    {RuleId::meta_size, "META_SIZE", Severity::error},
    {RuleId::meta_stride, "META_STRIDE", Severity::error},
    {RuleId::module_root, "MODULE_ROOT", Severity::warning},
    {RuleId::module_value, "MODULE_VALUE", Severity::error},
    {RuleId::name_code, "NAME_CODE", Severity::error, FoundBy::both},
    {RuleId::name_empty, "NAME_EMPTY", Severity::error},
    {RuleId::name_repeated, "NAME_REPEATED", Severity::error},
    {RuleId::name_undefined, "NAME_UNDEFINED", Severity::error},
    {RuleId::name_used_early, "NAME_USED_EARLY", Severity::error},
    {RuleId::nativert_order, "NATIVERT_ORDER", Severity::note},
    {RuleId::native_code, "NATIVE_CODE", Severity::error, FoundBy::scan},
    {RuleId::nested_archive, "NESTED_ARCHIVE", Severity::error, FoundBy::scan},
    {RuleId::node_name_repeated, "NODE_NAME_REPEATED", Severity::warning},
    {RuleId::not_functional, "NOT_FUNCTIONAL", Severity::error},
    {RuleId::not_understood, "NOT_UNDERSTOOD", Severity::error, FoundBy::scan},
    {RuleId::operand_device, "OPERAND_DEVICE", Severity::warning},
    {RuleId::operand_dtype, "OPERAND_DTYPE", Severity::warning},
    {RuleId::operand_shape, "OPERAND_SHAPE", Severity::warning},
    {RuleId::operator_missing, "OPERATOR_MISSING", Severity::warning},
    {RuleId::operator_moved, "OPERATOR_MOVED", Severity::note},
    {RuleId::operator_unknown, "OPERATOR_UNKNOWN", Severity::note},
    {RuleId::output_kind, "OUTPUT_KIND", Severity::error},
    {RuleId::output_order, "OUTPUT_ORDER", Severity::error},
    {RuleId::pickle_global, "PICKLE_GLOBAL", Severity::error, FoundBy::scan},
    {RuleId::pickle_legacy, "PICKLE_LEGACY", Severity::note, FoundBy::scan},
    {RuleId::pickle_malformed, "PICKLE_MALFORMED", Severity::error, FoundBy::scan},
    {RuleId::range_empty, "RANGE_EMPTY", Severity::error},
    {RuleId::range_name, "RANGE_NAME", Severity::error},
    {RuleId::range_unused, "RANGE_UNUSED", Severity::note},
    {RuleId::record_checksum, "RECORD_CHECKSUM", Severity::error},
    {RuleId::record_name, "RECORD_NAME", Severity::error, FoundBy::scan},
    {RuleId::result_count, "RESULT_COUNT", Severity::warning},
    {RuleId::result_kind, "RESULT_KIND", Severity::error},
    {RuleId::signature_count, "SIGNATURE_COUNT", Severity::error},
    {RuleId::signature_mismatch, "SIGNATURE_MISMATCH", Severity::error},
    {RuleId::single_return, "SINGLE_RETURN", Severity::error},
    {RuleId::source_code, "SOURCE_CODE", Severity::error, FoundBy::scan},
    {RuleId::stale_type, "STALE_TYPE", Severity::warning},
    {RuleId::subgraph_arity, "SUBGRAPH_ARITY", Severity::error},
    {RuleId::symbol_unbounded, "SYMBOL_UNBOUNDED", Severity::note},
    {RuleId::symbol_undefined, "SYMBOL_UNDEFINED", Severity::error},
    {RuleId::target_code, "TARGET_CODE", Severity::error, FoundBy::both},
    {RuleId::target_empty, "TARGET_EMPTY", Severity::error},
    {RuleId::target_repeated, "TARGET_REPEATED", Severity::note},
    {RuleId::target_reserved, "TARGET_RESERVED", Severity::error},
    {RuleId::target_syntax, "TARGET_SYNTAX", Severity::error},
    {RuleId::target_unknown, "TARGET_UNKNOWN", Severity::error},
    {RuleId::treespec_code, "TREESPEC_CODE", Severity::error, FoundBy::both},
    {RuleId::treespec_key, "TREESPEC_KEY", Severity::error},
    {RuleId::treespec_leaves, "TREESPEC_LEAVES", Severity::warning},
    {RuleId::treespec_syntax, "TREESPEC_SYNTAX", Severity::error},
    {RuleId::unreadable, "UNREADABLE", Severity::error, FoundBy::check},
    {RuleId::value_misplaced, "VALUE_MISPLACED", Severity::error},
    {RuleId::value_missing, "VALUE_MISSING", Severity::error},
    {RuleId::value_repeated, "VALUE_REPEATED", Severity::error},
    {RuleId::value_unused, "VALUE_UNUSED", Severity::warning},
    {RuleId::verifier_unknown, "VERIFIER_UNKNOWN", Severity::warning},
    {RuleId::weight_class, "WEIGHT_CLASS", Severity::warning},
    {RuleId::weight_mismatch, "WEIGHT_MISMATCH", Severity::warning},
    {RuleId::weight_missing, "WEIGHT_MISSING", Severity::error},
    {RuleId::weight_record, "WEIGHT_RECORD", Severity::error},
    {RuleId::weight_stripped, "WEIGHT_STRIPPED", Severity::warning},
    {RuleId::zip_trick, "ZIP_TRICK", Severity::error, FoundBy::scan},
};

constexpr bool is_complete() {
  std::size_t number = 0;
  for (const RuleRow& row : kRuleRows) {
    if (row.id != static_cast<RuleId>(number++)) return false;
  }
  return number == static_cast<std::size_t>(RuleId::zip_trick) + 1;
}
static_assert(is_complete() && std::size(kRulePage) == std::size(kRuleRows));

/// Those of a section: its rule, a line with the summary, and the lines of the explanation.
struct RuleTexts {
  explicit RuleTexts(std::string_view section) {
    const std::size_t begin = section.find("\n\n") + 2;
    const std::size_t middle = section.find("\n\n", begin);
    summary = section.substr(begin, middle - begin);
    explanation = section.substr(middle + 2);
    std::replace(explanation.begin(), explanation.end(), '\n', ' ');
  }

  std::string summary;
  std::string explanation;
};

}  // namespace

const char* severity_text(Severity severity) {
  constexpr const char* kTexts[] = {"error", "warning", "note"};
  return kTexts[static_cast<std::size_t>(severity)];
}

const Rule& rule_of(RuleId id) {
  return *rules()[static_cast<std::size_t>(id)];
}

std::optional<RuleId> find_rule(std::string_view id) {
  for (const RuleRow& row : kRuleRows) {
    if (row.name == id) return row.id;
  }
  return std::nullopt;
}

std::string unknown_rule(std::string_view id) {
  std::vector<std::string_view> ids;
  for (const Rule* const rule : rules()) ids.emplace_back(rule->id);
  return schemagen::with_suggestion("unknown rule " + schemagen::quoted(id), id, ids);
}

std::string explanation_of(std::string_view id) {
  const std::optional<RuleId> found = find_rule(id);
  if (!found) throw schemagen::UsageError(unknown_rule(id));
  const Rule& rule = rule_of(*found);
  return std::string(rule.id) + " (" + severity_text(rule.severity) + "): " + rule.summary + "\n\n" +
         rule.explanation + "\n";
}

const std::vector<const Rule*>& rules() {
  static const std::vector<RuleTexts> texts(std::begin(kRulePage), std::end(kRulePage));
  static const std::vector<Rule> rules = [] {
    std::vector<Rule> all;
    for (const RuleRow& row : kRuleRows) {
      const RuleTexts& of = texts[all.size()];
      all.push_back({row.name, row.severity, of.summary.c_str(), of.explanation.c_str(), row.found_by});
    }
    return all;
  }();
  static const std::vector<const Rule*> pointers = [] {
    std::vector<const Rule*> all;
    for (const Rule& rule : rules) all.push_back(&rule);
    return all;
  }();
  return pointers;
}

std::vector<const Rule*> scan_rules() {
  std::vector<const Rule*> found;
  for (const Rule* const rule : rules()) {
    if (rule->found_by == FoundBy::scan || rule->found_by == FoundBy::both) found.push_back(rule);
  }
  return found;
}

}  // namespace pt2
