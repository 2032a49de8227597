#include "pt2/verify/verify.h"

#include <algorithm>

#include "pt2/nodes/arguments.h"
#include "pt2/verify/check.h"

namespace pt2 {
namespace {

RuleId own_id(std::size_t own) {
  return static_cast<RuleId>(rules().size() + own);
}

void check_all(Check& check, const OperatorSet& operators) {
  check_signature(check);
  check_symbols(check);
  check_verifiers(check);
  for (const Check::Scope& scope : check.index.scopes()) {
    check_names(check, scope);
    check_values(check, scope);
    check_metas(check, scope);
    check_scope(check, scope);
    const std::vector<Node>& nodes = scope.index.graph().nodes;
    for (std::uint32_t number = 0; number < nodes.size(); ++number) {
      const NodePlace place{check, scope, number, nodes[number], called_operator(nodes[number], operators)};
      check_operator(place);
      check_arguments(place);
      check_subgraphs(place);
    }
    check_types(check, scope, operators);
  }
  check_modules(check);
  check_texts(check);
  check_code(check, check.program);
}

}  // namespace

std::vector<Finding> verify(const ExportedProgram& program, const OperatorSet& operators) {
  return verify(program, RuleSet(), operators);
}

std::vector<Finding> verify(const ExportedProgram& program, const RuleSet& rules,
                            const OperatorSet& operators) {
  const ProgramIndex index(program);
  Check check(program, index);
  check_all(check, operators);
  for (std::size_t i = 0; i < rules.own_.size(); ++i) {
    const RuleId id = own_id(i);
    const auto changed = rules.severities_.find(id);
    if (changed != rules.severities_.end() && !changed->second) continue;
    const auto& [rule, lint] = rules.own_[i];
    lint(program, index, [&check, id, severity = rule.severity](std::string path, std::string message) {
      check.add(id, severity, std::move(path), std::move(message));
    });
  }
  std::vector<Finding> findings = check.take();
  change_severities(findings, rules.severities_);
  return findings;
}

void change_severities(std::vector<Finding>& findings,
                       const std::map<RuleId, std::optional<Severity>>& severities) {
  std::vector<Finding> kept;
  for (Finding& finding : findings) {
    const auto changed = severities.find(finding.rule);
    if (changed != severities.end() && !changed->second) continue;
    if (changed != severities.end()) finding.severity = *changed->second;
    kept.push_back(std::move(finding));
  }
  findings = std::move(kept);
}

RuleId RuleSet::add(const Rule& rule, Lint lint) {
  const auto is_it = [&](const auto& other) { return std::string_view(other.first.id) == rule.id; };
  const bool is_taken = find_rule(rule.id) || std::any_of(own_.begin(), own_.end(), is_it);
  if (is_taken) throw schemagen::UsageError("duplicate rule " + schemagen::quoted(rule.id));
  own_.emplace_back(rule, std::move(lint));
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
  if (number - count < own_.size()) return own_[number - count].first;
  throw schemagen::UsageError("unknown rule number " + std::to_string(number));
}

}  // namespace pt2
