#include "findings.h"

#include <cstddef>
#include <cstdint>
#include <optional>

#include "all_rules.h"
#include "console.h"
#include "schemagen/base/quote.h"

namespace pt2::tool {

std::vector<FileFinding> findings_of(const std::vector<ScanFinding>& findings) {
  std::vector<FileFinding> all;
  for (const ScanFinding& finding : findings) {
    schemagen::Place place;
    place.offset = finding.position;
    all.push_back(
        {finding.rule, finding.rule->severity, finding.record, "", finding.what, finding.message, place});
  }
  return all;
}

std::vector<FileFinding> findings_of(const std::vector<Finding>& findings, const std::string& record) {
  std::vector<FileFinding> all;
  for (const Finding& finding : findings) {
    all.push_back({&rule_of(finding.rule), finding.severity, record, finding.path, "", finding.message, {}});
  }
  return all;
}

std::string message_text(const FileFinding& finding) {
  std::string text;
  for (const std::string* const part : {&finding.record, &finding.path}) {
    if (!part->empty()) text += schemagen::shortened(schemagen::printable(*part)) + ": ";
  }
  return text + schemagen::printable(finding.message);
}

std::string findings_text(const FileFindings& file) {
  std::string text;
  for (const FileFinding& finding : file.findings) {
    if (finding.severity == Severity::note) continue;
    const std::string where = schemagen::place_text(finding.place);
    text += shown_path(file.file) + ": " + severity_text(finding.severity) + ": " + message_text(finding) +
            (where.empty() ? "" : " " + where) + " [" + finding.rule->id + "]\n";
  }
  return text;
}

void write_place(schemagen::JsonWriter& json, const schemagen::Place& place) {
  const auto known = [](std::size_t value) { return std::optional(static_cast<std::int64_t>(value)); };
  const bool has_line = place.line != 0;
  json.key("line").integer_or_null(has_line ? known(place.line) : std::nullopt);
  json.key("column").integer_or_null(has_line ? known(place.column) : std::nullopt);
  json.key("offset").integer_or_null(place.offset ? known(*place.offset) : std::nullopt);
}

/// Whether a finding is of what scan or a reader cannot make sense of, so that nothing is known of it.
bool is_not_understood(const FileFinding& finding) {
  return finding.rule == &check_rule(CheckRule::unreadable) ||
         finding.rule == &scan_rule(ScanRule::not_understood);
}

tools::ExitCode exit_code_of(const FileFindings& file) {
  if (!has_error(file.findings)) return tools::kDone;
  const bool is_understood = std::any_of(file.findings.begin(), file.findings.end(), [](const auto& finding) {
    return finding.severity == Severity::error && !is_not_understood(finding);
  });
  return is_understood ? tools::kNo : tools::kBadInput;
}

}  // namespace pt2::tool
