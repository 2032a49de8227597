#include "pt2/findings/rules.h"

#include <iterator>

#include "pt2/tables/rule_page.h"
#include "schemagen/base/error.h"
#include "schemagen/base/near_name.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

struct RuleLevel {
  RuleId id;
  Severity severity;
  FoundBy found_by = FoundBy::verify;
};

/// Other rules are errors that verify() finds.
constexpr RuleLevel kRuleLevels[] = {
    {RuleId::expression_code, Severity::error, FoundBy::both},
    {RuleId::field_skipped, Severity::warning, FoundBy::check},
    {RuleId::guard_code, Severity::error, FoundBy::both},
    {RuleId::guard_syntax, Severity::warning},
    {RuleId::meta_device, Severity::warning},
    {RuleId::meta_layout, Severity::warning},
    {RuleId::module_root, Severity::warning},
    {RuleId::name_code, Severity::error, FoundBy::both},
    {RuleId::nativert_order, Severity::note},
    {RuleId::native_code, Severity::error, FoundBy::scan},
    {RuleId::nested_archive, Severity::error, FoundBy::scan},
    {RuleId::node_name_repeated, Severity::warning},
    {RuleId::not_understood, Severity::error, FoundBy::scan},
    {RuleId::operand_device, Severity::warning},
    {RuleId::operand_dtype, Severity::warning},
    {RuleId::operand_shape, Severity::warning},
    {RuleId::operator_missing, Severity::warning},
    {RuleId::operator_moved, Severity::note},
    {RuleId::operator_unknown, Severity::note},
    {RuleId::pickle_global, Severity::error, FoundBy::scan},
    {RuleId::pickle_legacy, Severity::note, FoundBy::scan},
    {RuleId::pickle_malformed, Severity::error, FoundBy::scan},
    {RuleId::range_unused, Severity::note},
    {RuleId::record_name, Severity::error, FoundBy::scan},
    {RuleId::result_count, Severity::warning},
    {RuleId::source_code, Severity::error, FoundBy::scan},
    {RuleId::stale_type, Severity::warning},
    {RuleId::symbol_unbounded, Severity::note},
    {RuleId::target_code, Severity::error, FoundBy::both},
    {RuleId::target_repeated, Severity::note},
    {RuleId::treespec_code, Severity::error, FoundBy::both},
    {RuleId::treespec_leaves, Severity::warning},
    {RuleId::unreadable, Severity::error, FoundBy::check},
    {RuleId::value_unused, Severity::warning},
    {RuleId::verifier_unknown, Severity::warning},
    {RuleId::weight_class, Severity::warning},
    {RuleId::weight_mismatch, Severity::warning},
    {RuleId::weight_stripped, Severity::warning},
    {RuleId::zip_trick, Severity::error, FoundBy::scan},
};

/// tests/dev/rule_page_test.py compares the order.
static_assert(std::size(kRulePage) == static_cast<std::size_t>(RuleId::zip_trick) + 1);

}  // namespace

const char* severity_text(Severity severity) {
  constexpr const char* kTexts[] = {"error", "warning", "note"};
  return kTexts[static_cast<std::size_t>(severity)];
}

const Rule& rule_of(RuleId id) {
  return rules()[static_cast<std::size_t>(id)];
}

std::optional<RuleId> find_rule(std::string_view id) {
  for (std::size_t i = 0; i < rules().size(); ++i) {
    if (rules()[i].id == id) return static_cast<RuleId>(i);
  }
  return std::nullopt;
}

std::string unknown_rule(std::string_view id) {
  std::vector<std::string_view> ids;
  for (const Rule& rule : rules()) ids.emplace_back(rule.id);
  return schemagen::with_suggestion("unknown rule " + schemagen::quoted(id), id, ids);
}

std::string explanation_of(std::string_view id) {
  const std::optional<RuleId> found = find_rule(id);
  if (!found) throw schemagen::UsageError(unknown_rule(id));
  const Rule& rule = rule_of(*found);
  return std::string(rule.id) + " (" + severity_text(rule.severity) + "): " + rule.summary + "\n\n" +
         rule.explanation + "\n";
}

const std::vector<Rule>& rules() {
  static const std::vector<Rule> made = [] {
    std::vector<Rule> all;
    for (const auto& [id, summary, explanation] : kRulePage) {
      all.push_back({id, Severity::error, summary, explanation, FoundBy::verify});
    }
    for (const RuleLevel& level : kRuleLevels) {
      Rule& rule = all[static_cast<std::size_t>(level.id)];
      rule.severity = level.severity;
      rule.found_by = level.found_by;
    }
    return all;
  }();
  return made;
}

std::vector<Rule> scan_rules() {
  std::vector<Rule> found;
  for (const Rule& rule : rules()) {
    if (rule.found_by == FoundBy::scan || rule.found_by == FoundBy::both) found.push_back(rule);
  }
  return found;
}

}  // namespace pt2
