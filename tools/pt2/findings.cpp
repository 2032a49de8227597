#include "findings.h"

#include "pt2/scan/check_file.h"
#include "schemagen/base/quote.h"
#include "text/finding_formats.h"
#include "text/json_text.h"

namespace pt2::tool {

bool has_error(const std::vector<Finding>& findings) {
  return std::any_of(findings.begin(), findings.end(),
                     [](const Finding& finding) { return finding.severity == Severity::error; });
}

ExitCode exit_code_of(const FileFindings& file) {
  if (!has_error(file.findings)) return kDone;
  const bool is_understood = std::any_of(file.findings.begin(), file.findings.end(), [](const auto& finding) {
    return finding.severity == Severity::error && !is_not_understood(finding);
  });
  return is_understood ? kNo : kBadInput;
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

std::string findings_sarif(const std::vector<FileFindings>& files, const std::vector<Rule>& rules) {
  std::vector<generator::SarifRule> all;
  for (const Rule& rule : rules) {
    all.push_back({rule.id, severity_text(rule.severity), rule.summary, rule.explanation, ""});
  }
  std::vector<generator::SarifFinding> found;
  for (const FileFindings& file : files) {
    for (const Finding& finding : file.findings) found.push_back(sarif_of(file.file, finding));
  }
  return generator::as_sarif("pt2", PT2_VERSION, all, found);
}

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
