// Lists the rules that verify(), scan_file() and `pt2 check` apply.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pt2/rules/rule_id.h"

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
