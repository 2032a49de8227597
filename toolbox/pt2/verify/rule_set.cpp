#include "pt2/verify/verify.h"

#include <utility>

#include "pt2/verify/check.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"

namespace pt2 {

RuleId own_id(std::size_t own) {
  return static_cast<RuleId>(rules().size() + own);
}

RuleId RuleSet::add(const Rule& rule, Lint lint) {
  const auto is_it = [&](const Rule& other) { return std::string_view(other.id) == rule.id; };
  bool is_taken = false;
  for (const Rule* const other : rules()) is_taken = is_taken || is_it(*other);
  for (const OwnRule& other : own_) is_taken = is_taken || is_it(other.rule);
  if (is_taken) throw schemagen::UsageError("duplicate rule " + schemagen::quoted(rule.id));
  own_.push_back({rule, std::move(lint)});
  return own_id(own_.size() - 1);
}

void RuleSet::set_severity(RuleId rule, std::optional<Severity> severity) {
  rule_of(rule);
  severities_[rule] = severity;
}

RuleId RuleSet::find(std::string_view name) const {
  for (std::size_t i = 0; i < rules().size() + own_.size(); ++i) {
    if (rule_of(static_cast<RuleId>(i)).id == name) return static_cast<RuleId>(i);
  }
  throw schemagen::UsageError("unknown rule " + schemagen::quoted(name));
}

const Rule& RuleSet::rule_of(RuleId id) const {
  const auto number = static_cast<std::size_t>(id);
  const std::size_t count = rules().size();
  if (number < count) return pt2::rule_of(id);
  if (number - count < own_.size()) return own_[number - count].rule;
  throw schemagen::UsageError("unknown rule number " + std::to_string(number));
}

bool RuleSet::is_off(RuleId rule) const {
  const auto severity = severities_.find(rule);
  return severity != severities_.end() && !severity->second;
}

}  // namespace pt2
