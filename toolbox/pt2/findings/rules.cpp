#include "pt2/findings/rules.h"

#include <iterator>

#include "pt2/rules/rule_page.h"
#include "schemagen/base/error.h"
#include "schemagen/base/near_name.h"
#include "schemagen/base/quote.h"

namespace pt2 {

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
  static const std::vector<Rule> made(std::begin(kRulePage), std::end(kRulePage));
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
