// What users make of rules: switched off, or of another level. Options of commands that have findings.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/command_line.h"
#include "pt2/verify/verify.h"

namespace pt2::tool {

class RuleLevels {
 public:
  /// The options --rule RULE=LEVEL and --rules FILE, which are read into this.
  void add_options(tools::Command command);

  /// Reads what the options say: the file, a RULE=LEVEL in each line, `#` before remarks; then those of the
  /// command line, which win. Errors: UsageError for what is no rule or level, with the line of the file;
  /// IoError.
  void read();

  /// Puts the levels into `findings`, whose rules `rule_of(finding)` gives, and takes those out that are off.
  template <class AnyFinding, class RuleOf>
  void apply(std::vector<AnyFinding>& findings, const RuleOf& rule_of) const {
    if (levels_.empty()) return;
    const auto is_off = [&](const AnyFinding& finding) {
      const auto level = levels_.find(rule_of(finding).id);
      return level != levels_.end() && !level->second;
    };
    findings.erase(std::remove_if(findings.begin(), findings.end(), is_off), findings.end());
    for (AnyFinding& finding : findings) {
      const auto level = levels_.find(rule_of(finding).id);
      if (level != levels_.end()) finding.severity = *level->second;
    }
  }

 private:
  /// Why `text` cannot be taken; empty if it was.
  std::string take(std::string_view text);

  std::vector<std::string> settings_;
  std::string file_;                                                    // empty: none
  std::map<std::string, std::optional<Severity>, std::less<>> levels_;  // by id; nullopt: off
};

}  // namespace pt2::tool
