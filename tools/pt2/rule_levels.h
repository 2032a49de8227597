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
  void add_options(tools::Command command);

  /// The file has one RULE=LEVEL per line, and comments after `#`. Options override it. Throws UsageError,
  /// with the line, for unknown rules and levels. Throws IoError if the file cannot be read.
  void read();

  void apply(std::vector<Finding>& findings) const;

 private:
  std::string take(std::string_view text);

  std::vector<std::string> settings_;
  std::string file_;
  std::map<RuleId, std::optional<Severity>> levels_;
};

}  // namespace pt2::tool
