// Checks of a program that its schema cannot express, and their rules.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pt2/graph/index.h"
#include "pt2/operators/operators.h"
#include "pt2/types.h"

namespace pt2 {

enum class Severity {
  error,    // torch, or any runtime, will refuse the program or misread it
  warning,  // suspicious, but not refused
  note,     // worth knowing
};

/// `error`, `warning`, `note`.
const char* severity_text(Severity severity);

struct Rule {
  const char* id;
  Severity severity;
  const char* summary;      // one line
  const char* explanation;  // what goes wrong, and what to do
};

/// By id: `name_code` is NAME_CODE.
enum class RuleId {
  archive_record,
  argument_kind,
  argument_missing,
  argument_repeated,
  argument_type,
  argument_unknown,
  argument_unnamed,
  enum_unknown,
  expression_code,
  expression_syntax,
  guard_code,
  guard_syntax,
  hint_kind,
  hint_range,
  input_kind,
  loss_repeated,
  member_missing,
  metadata_syntax,
  meta_device,
  meta_device_index,
  meta_dtype,
  meta_gradient,
  meta_layout,
  meta_rank,
  meta_size,
  meta_stride,
  module_root,
  module_value,
  name_code,
  name_empty,
  name_repeated,
  name_undefined,
  name_used_early,
  nativert_order,
  node_name_repeated,
  not_functional,
  operand_device,
  operand_dtype,
  operator_missing,
  operator_unknown,
  output_kind,
  output_order,
  range_empty,
  range_name,
  range_unused,
  result_count,
  result_kind,
  signature_count,
  signature_mismatch,
  single_return,
  subgraph_arity,
  symbol_unbounded,
  symbol_undefined,
  target_code,
  target_empty,
  target_repeated,
  target_reserved,
  target_syntax,
  target_unknown,
  treespec_code,
  treespec_key,
  treespec_leaves,
  treespec_syntax,
  value_misplaced,
  value_missing,
  value_repeated,
  value_unused,
  verifier_unknown,
  weight_class,
  weight_mismatch,
  weight_missing,
  weight_record,
};

/// One of the library's.
const Rule& rule_of(RuleId id);

/// All rules, by id.
const std::vector<const Rule*>& rules();

/// One thing that is wrong with a program.
struct Finding {
  RuleId rule;
  Severity severity;    // that of the rule, or what a RuleSet says
  std::string path;     // in the program's JSON, e.g. `graph_module.graph.nodes[3].inputs[0].arg`
  std::string message;  // names are as in the file: not printable as they stand
};

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
