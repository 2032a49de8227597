#include "findings.h"

#include <algorithm>

#include "console.h"
#include "pt2/scan/check_file.h"
#include "schemagen/base/quote.h"

namespace pt2::tool {
bool has_error(const std::vector<Finding>& findings) {
  return std::any_of(findings.begin(), findings.end(),
                     [](const Finding& finding) { return finding.severity == Severity::error; });
}

tools::ExitCode exit_code_of(const FileFindings& file) {
  if (!has_error(file.findings)) return tools::kDone;
  const bool is_understood = std::any_of(file.findings.begin(), file.findings.end(), [](const auto& finding) {
    return finding.severity == Severity::error && !is_not_understood(finding);
  });
  return is_understood ? tools::kNo : tools::kBadInput;
}

std::string message_text(const Finding& finding) {
  std::string text;
  for (const std::string* const part : {&finding.record, &finding.path}) {
    if (!part->empty()) text += schemagen::shortened(schemagen::printable(*part)) + ": ";
  }
  return text + schemagen::printable(finding.message);
}

std::string findings_text(const FileFindings& file) {
  std::string text;
  for (const Finding& finding : file.findings) {
    if (finding.severity == Severity::note) continue;
    const std::string where = schemagen::place_text(finding.place);
    text += shown_path(file.file) + ": " + severity_text(finding.severity) + ": " + message_text(finding) +
            (where.empty() ? "" : " " + where) + " [" + rule_of(finding.rule).id + "]\n";
  }
  return text;
}

}  // namespace pt2::tool
