#pragma once

#include <map>
#include <string_view>

#include "command.h"
#include "pt2/verify/verify.h"

namespace pt2::tool {

class RuleLevels {
 public:
  void add_options(Command command);

  /// The file has one RULE=LEVEL per line, and comments after `#`. Options override it. Throws UsageError,
  /// with the line, for unknown rules and levels. Throws IoError if the file cannot be read.
  void read();

  void apply(std::vector<Finding>& findings) const { change_severities(findings, levels_); }

 private:
  std::string take(std::string_view text);

  std::vector<std::string> settings_;
  std::string file_;
  std::map<RuleId, std::optional<Severity>> levels_;
};

}  // namespace pt2::tool
