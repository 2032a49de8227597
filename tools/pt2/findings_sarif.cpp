#include "findings.h"
#include "schemagen/base/quote.h"
#include "text/finding_formats.h"
#include "text/json_text.h"

namespace pt2::tool {
namespace {

generator::SarifFinding sarif_of(const std::string& file, const Finding& finding) {
  generator::SarifPlace place = {file,
                                 {schemagen::printable(finding.record), schemagen::printable(finding.path)}};
  if (finding.record.empty()) {
    place.line = finding.place.line;
    place.column = finding.place.column;
    place.offset = finding.place.offset;
  }
  generator::SarifFinding out = {rule_of(finding.rule).id, severity_text(finding.severity),
                                 message_text(finding), std::move(place)};
  out.properties = {{"what", generator::json_string(schemagen::printable(finding.what))}};
  return out;
}

}  // namespace

std::string findings_sarif(const std::vector<FileFindings>& files, const std::vector<const Rule*>& rules) {
  std::vector<generator::SarifRule> all;
  for (const Rule* const rule : rules) {
    all.push_back({rule->id, severity_text(rule->severity), rule->summary, rule->explanation, ""});
  }
  std::vector<generator::SarifFinding> found;
  for (const FileFindings& file : files) {
    for (const Finding& finding : file.findings) found.push_back(sarif_of(file.file, finding));
  }
  return generator::as_sarif("pt2", PT2_VERSION, all, found);
}

}  // namespace pt2::tool
