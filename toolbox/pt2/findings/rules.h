// Lists the rules that verify(), scan_file() and `pt2 check` apply.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pt2 {

enum class Severity {
  error,    // torch or another runtime will reject the program, misread it, or run code from the file
  warning,  // suspicious, but no runtime rejects it
  note,     // worth knowing
};

/// Returns the name of `severity`: `error`, `warning` or `note`.
const char* severity_text(Severity severity);

enum class FoundBy {
  verify,  // verify(), verify_weights() or verify_records()
  scan,    // scan_file()
  both,
  check,  // only `pt2 check`
};

struct Rule {
  const char* id;
  Severity severity;
  const char* summary;      // one line
  const char* explanation;  // what goes wrong and what to do about it
  FoundBy found_by = FoundBy::verify;
};

/// One enumerator per rule. For example, `name_code` is the rule NAME_CODE.
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
  field_skipped,
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
  native_code,
  nested_archive,
  node_name_repeated,
  not_functional,
  not_understood,
  operand_device,
  operand_dtype,
  operand_shape,
  operator_missing,
  operator_moved,
  operator_unknown,
  output_kind,
  output_order,
  pickle_global,
  pickle_legacy,
  pickle_malformed,
  range_empty,
  range_name,
  range_unused,
  record_checksum,
  record_name,
  result_count,
  result_kind,
  signature_count,
  signature_mismatch,
  single_return,
  source_code,
  stale_type,
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
  unreadable,
  value_misplaced,
  value_missing,
  value_repeated,
  value_unused,
  verifier_unknown,
  weight_class,
  weight_mismatch,
  weight_missing,
  weight_record,
  weight_stripped,
  zip_trick,
};

/// Returns a built-in rule. Rules added to a RuleSet are known only to that RuleSet.
const Rule& rule_of(RuleId id);

/// Returns the built-in rule with this id (for example, `NAME_CODE`), or nullopt if there is none.
std::optional<RuleId> find_rule(std::string_view id);

/// Returns a message such as `unknown rule 'STALE', did you mean 'STALE_TYPE'?`.
std::string unknown_rule(std::string_view id);

/// Returns the text of `pt2 explain`, which ends with a line break. Throws UsageError, with unknown_rule(),
/// if there is no rule with this id.
std::string explanation_of(std::string_view id);

/// Returns all built-in rules, sorted by id.
const std::vector<Rule>& rules();

/// Returns the rules that scan_file() applies, sorted by id.
std::vector<Rule> scan_rules();

}  // namespace pt2
