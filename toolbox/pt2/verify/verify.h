// Checks programs for errors that the schema does not rule out.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pt2/findings/finding.h"
#include "pt2/graph/index.h"
#include "pt2/operators/operators.h"
#include "pt2/types.h"

namespace pt2 {

/// Returns the findings in `program`, sorted by path in document order and then by rule. There are at most
/// 1000 findings per rule. Calls are checked against the operators' schemas in `operators`. Takes linear
/// time.
std::vector<Finding> verify(const ExportedProgram& program, const OperatorSet& operators = {});

/// The built-in rules and your own, with their severities. A RuleSet is a value, not a global registry, so
/// findings do not depend on what else is linked in.
class RuleSet {
 public:
  /// A function that a Lint calls for each finding, with the path in the program's JSON and a message.
  using Report = std::function<void(std::string path, std::string message)>;
  /// A function that checks a program. `index` is a ready-made index of the program.
  using Lint =
      std::function<void(const ExportedProgram& program, const ProgramIndex& index, const Report& report)>;

  /// Adds a rule and returns its id. The rule's strings must outlive this object. Throws UsageError if the
  /// rule's name is taken.
  RuleId add(const Rule& rule, Lint lint);

  /// Changes the severity of a rule's findings; nullopt turns the rule off. Throws UsageError if there is no
  /// such rule.
  void set_severity(RuleId rule, std::optional<Severity> severity);

  /// Returns the id of the rule called `name` (for example, "NAME_CODE"). Throws UsageError if there is no
  /// such rule.
  RuleId find(std::string_view name) const;
  /// Returns the rule with this id. The reference is valid until a rule is added. Throws UsageError if there
  /// is no such rule.
  const Rule& rule_of(RuleId id) const;

 private:
  friend std::vector<Finding> verify(const ExportedProgram& program, const RuleSet& rules,
                                     const OperatorSet& operators);

  std::vector<std::pair<Rule, Lint>> own_;  // numbered after the built-in rules
  /// The severities of all rules whose severity was changed. nullopt means that the rule is off.
  std::map<RuleId, std::optional<Severity>> severities_;
};

/// Returns the findings of the rules in `rules`. Throws whatever the Lints throw.
std::vector<Finding> verify(const ExportedProgram& program, const RuleSet& rules,
                            const OperatorSet& operators = {});

/// Gives each finding the severity that `severities` has for its rule, and drops findings of rules with
/// nullopt.
void change_severities(std::vector<Finding>& findings,
                       const std::map<RuleId, std::optional<Severity>>& severities);

}  // namespace pt2
