// Options to switch rules off or change their levels.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/command_line.h"
#include "pt2/findings/finding.h"

namespace pt2::tool {

/// Returns the message for an id that no rule has, with the nearest one.
std::string unknown_rule(const std::string& id);

class RuleLevels {
 public:
  /// Adds --rule RULE=LEVEL and --rules FILE.
  void add_options(tools::Command command);

  /// Reads the file, one RULE=LEVEL per line with comments after `#`, then the options, which override it.
  /// Throws UsageError, with the line of the file, for an unknown rule or level; IoError.
  void read();

  /// Sets the levels of `findings` and removes those whose rule is off.
  void apply(std::vector<Finding>& findings) const;

 private:
  /// Parses a setting. Returns an error, or an empty string.
  std::string take(std::string_view text);

  std::vector<std::string> settings_;
  std::string file_;                                  // empty: none
  std::map<RuleId, std::optional<Severity>> levels_;  // nullopt: off
};

}  // namespace pt2::tool
