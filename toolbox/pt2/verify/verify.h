// Checks of a program that its schema cannot express.
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

/// What the rules find in `program`, sorted by path, as the document has it, then by rule. Takes time linear
/// in the program, and reports at most 1000 findings of a rule. What nodes call is held against `operators`.
std::vector<Finding> verify(const ExportedProgram& program, const OperatorSet& operators = {});

/// The same with an index that is there already.
std::vector<Finding> verify(const ExportedProgram& program, const ProgramIndex& index,
                            const OperatorSet& operators = {});

/// The library's rules and those of the caller: which are looked at, and how grave they are. A value that is
/// passed along, not a registry: what a program is told does not depend on what else is linked in.
class RuleSet {
 public:
  /// Says what a lint finds: where in the program's JSON, and what.
  using Report = std::function<void(std::string path, std::string message)>;
  /// Looks at a program, through its index if it likes.
  using Lint =
      std::function<void(const ExportedProgram& program, const ProgramIndex& index, const Report& report)>;

  /// Adds a rule; what its texts point to has to outlive this. Returns the id that its findings have. Errors:
  /// UsageError if there is a rule of this name.
  RuleId add(const Rule& rule, Lint lint);

  /// How grave what it finds is from now on; nullopt: it is off. Errors: UsageError if there is no such rule.
  void set_severity(RuleId rule, std::optional<Severity> severity);

  /// The rule called `name`, such as NAME_CODE. Errors: UsageError if there is none.
  RuleId find(std::string_view name) const;
  /// Errors: UsageError if there is no such rule. The reference is valid until a rule is added.
  const Rule& rule_of(RuleId id) const;

 private:
  friend std::vector<Finding> verify(const ExportedProgram& program, const ProgramIndex& index,
                                     const RuleSet& rules, const OperatorSet& operators);
  struct OwnRule {
    Rule rule;
    Lint lint;
  };

  bool is_off(RuleId rule) const;

  std::vector<OwnRule> own_;                              // their ids follow the library's
  std::map<RuleId, std::optional<Severity>> severities_;  // where they are others
};

/// What `rules` find. Errors: those of the lints.
std::vector<Finding> verify(const ExportedProgram& program, const RuleSet& rules,
                            const OperatorSet& operators = {});
std::vector<Finding> verify(const ExportedProgram& program, const ProgramIndex& index, const RuleSet& rules,
                            const OperatorSet& operators = {});

}  // namespace pt2
