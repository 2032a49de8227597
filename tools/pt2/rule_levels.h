// What users make of rules: switched off, or of another level. Options of commands that have findings.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/command_line.h"
#include "pt2/findings/finding.h"

namespace pt2::tool {

class RuleLevels {
 public:
  /// The options --rule RULE=LEVEL and --rules FILE, which are read into this.
  void add_options(tools::Command command);

  /// Reads what the options say: the file, a RULE=LEVEL in each line, `#` before remarks; then those of the
  /// command line, which win. Errors: UsageError for what is no rule or level, with the line of the file;
  /// IoError.
  void read();

  /// Sets the levels of `findings` and removes those whose rule is off.
  void apply(std::vector<Finding>& findings) const;

 private:
  /// Why `text` cannot be taken; empty if it was.
  std::string take(std::string_view text);

  std::vector<std::string> settings_;
  std::string file_;                                  // empty: none
  std::map<RuleId, std::optional<Severity>> levels_;  // nullopt: off
};

}  // namespace pt2::tool
