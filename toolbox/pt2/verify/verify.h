// Checks programs for errors that their schema does not rule out.
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

/// Returns the findings in `program`, sorted by path in document order, then by rule. At most 1000 per rule.
/// Calls are checked against `operators`. Takes linear time.
std::vector<Finding> verify(const ExportedProgram& program, const OperatorSet& operators = {});

/// Does the same with an existing index.
std::vector<Finding> verify(const ExportedProgram& program, const ProgramIndex& index,
                            const OperatorSet& operators = {});

/// The library's rules and your own, with their severities. It is a value and not a global registry, so
/// findings do not depend on what else is linked in.
class RuleSet {
 public:
  /// Reports a finding: its path in the program's JSON, and a message.
  using Report = std::function<void(std::string path, std::string message)>;
  /// Checks a program. The index is there if you need it.
  using Lint =
      std::function<void(const ExportedProgram& program, const ProgramIndex& index, const Report& report)>;

  /// Adds a rule, whose strings must outlive this object. Returns its id. Throws UsageError if the name is
  /// taken.
  RuleId add(const Rule& rule, Lint lint);

  /// Changes the severity of a rule's findings; nullopt switches it off. Throws UsageError if there is no
  /// such rule.
  void set_severity(RuleId rule, std::optional<Severity> severity);

  /// Returns the rule `name`, such as NAME_CODE. Throws UsageError if there is none.
  RuleId find(std::string_view name) const;
  /// Throws UsageError if there is no such rule. The reference is valid until a rule is added.
  const Rule& rule_of(RuleId id) const;

 private:
  friend std::vector<Finding> verify(const ExportedProgram& program, const ProgramIndex& index,
                                     const RuleSet& rules, const OperatorSet& operators);
  struct OwnRule {
    Rule rule;
    Lint lint;
  };

  bool is_off(RuleId rule) const;

  std::vector<OwnRule> own_;                              // numbered after the library's rules
  std::map<RuleId, std::optional<Severity>> severities_;  // changed severities
};

/// Returns the findings of `rules`. Throws what the rules throw.
std::vector<Finding> verify(const ExportedProgram& program, const RuleSet& rules,
                            const OperatorSet& operators = {});
std::vector<Finding> verify(const ExportedProgram& program, const ProgramIndex& index, const RuleSet& rules,
                            const OperatorSet& operators = {});

}  // namespace pt2
