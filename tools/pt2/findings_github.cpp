#include "findings.h"
#include "schemagen/base/quote.h"
#include "text/finding_formats.h"

namespace pt2::tool {

std::string findings_github(const std::vector<FileFindings>& files) {
  std::string text;
  for (const FileFindings& file : files) {
    for (const Finding& finding : file.findings) {
      if (finding.severity == Severity::note) continue;
      std::vector<generator::CommandProperty> properties = {{"file", schemagen::printable(file.file)}};
      if (finding.record.empty() && finding.place.line != 0) {
        properties.emplace_back("line", std::to_string(finding.place.line));
        properties.emplace_back("col", std::to_string(finding.place.column));
      }
      properties.emplace_back("title", rule_of(finding.rule).id);
      text += generator::workflow_command(severity_text(finding.severity), properties, message_text(finding));
    }
  }
  return text;
}

}  // namespace pt2::tool
