#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/command_line.h"
#include "pt2/findings/finding.h"

namespace pt2::tool {

/// With the nearest rule.
std::string unknown_rule(const std::string& id);

class RuleLevels {
 public:
  void add_options(tools::Command command);

  /// The file has one RULE=LEVEL per line, with comments after `#`; the options override it. Throws
  /// UsageError, with the line, for an unknown rule or level; IoError.
  void read();

  /// Removes findings whose rule is off.
  void apply(std::vector<Finding>& findings) const;

 private:
  /// Returns an error, or empty.
  std::string take(std::string_view text);

  std::vector<std::string> settings_;
  std::string file_;
  std::map<RuleId, std::optional<Severity>> levels_;  // nullopt for off
};

}  // namespace pt2::tool
