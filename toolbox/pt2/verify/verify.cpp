#include "pt2/verify/verify.h"

#include <algorithm>
#include <utility>

#include "pt2/nodes/arguments.h"
#include "pt2/verify/check.h"

namespace pt2 {

namespace {

void check_all(Check& check, const OperatorSet& operators) {
  check_names(check);
  check_values(check);
  check_metas(check);
  check_signature(check);
  check_symbols(check);
  check_verifiers(check);
  for (const Check::Scope& scope : check.index().scopes()) {
    check_scope(check, scope);
    const std::vector<Node>& nodes = scope.index.graph().nodes;
    for (std::uint32_t number = 0; number < nodes.size(); ++number) {
      const NodePlace place{scope, number, nodes[number], called_operator(nodes[number], operators)};
      check_operator(check, place);
      check_arguments(check, place);
      check_subgraphs(check, place);
    }
    check_operands(check, scope, operators);
    check_types(check, scope, operators);
  }
  check_modules(check);
  check_texts(check);
  check_code(check, check.program());
}

}  // namespace

std::vector<Finding> verify(const ExportedProgram& program, const OperatorSet& operators) {
  return verify(program, ProgramIndex(program), operators);
}

std::vector<Finding> verify(const ExportedProgram& program, const ProgramIndex& index,
                            const OperatorSet& operators) {
  return verify(program, index, RuleSet(), operators);
}

std::vector<Finding> verify(const ExportedProgram& program, const RuleSet& rules,
                            const OperatorSet& operators) {
  return verify(program, ProgramIndex(program), rules, operators);
}

std::vector<Finding> verify(const ExportedProgram& program, const ProgramIndex& index, const RuleSet& rules,
                            const OperatorSet& operators) {
  Check check(program, index);
  check_all(check, operators);
  for (std::size_t i = 0; i < rules.own_.size(); ++i) {
    const RuleId id = own_id(i);
    if (rules.is_off(id)) continue;
    const auto& [rule, lint] = rules.own_[i];
    lint(program, index, [&check, id, severity = rule.severity](std::string path, std::string message) {
      check.add(id, severity, std::move(path), std::move(message));
    });
  }
  std::vector<Finding> findings = check.take();
  const auto is_off = [&](const Finding& finding) { return rules.is_off(finding.rule); };
  findings.erase(std::remove_if(findings.begin(), findings.end(), is_off), findings.end());
  for (Finding& finding : findings) {
    const auto severity = rules.severities_.find(finding.rule);
    if (severity != rules.severities_.end()) finding.severity = *severity->second;
  }
  return findings;
}

}  // namespace pt2
