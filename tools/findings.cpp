#include "findings.h"

#include <algorithm>

namespace pt2::tool {

bool has_error(const std::vector<Finding>& findings) {
  return std::any_of(findings.begin(), findings.end(),
                     [](const Finding& finding) { return finding.level == Level::error; });
}

std::string findings_text(const std::string& file, const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings) {
    if (finding.level == Level::note) continue;
    text += file + ": " + level_text(finding.level) + ": " + finding.path +
            (finding.path.empty() ? "" : ": ") + finding.message + " [" + finding.rule + "]\n";
  }
  return text;
}

void write_findings(JsonBuilder& json, const std::vector<Finding>& findings) {
  for (const Finding& finding : findings) {
    json.begin('{').key("rule").string(finding.rule).key("level").string(level_text(finding.level));
    json.key("path").string(finding.path).key("message").string(finding.message).end('}');
  }
}

}  // namespace pt2::tool
