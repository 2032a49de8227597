#include "findings.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "console.h"
#include "schemagen/base/quote.h"

namespace pt2::tool {
namespace {

std::optional<std::int64_t> known(const std::optional<std::size_t>& offset) {
  if (!offset) return std::nullopt;
  return static_cast<std::int64_t>(*offset);
}

void write_member(schemagen::JsonWriter& json, const std::string& file, const Finding& finding,
                  FindingKey key) {
  using schemagen::printable;
  switch (key) {
    case FindingKey::file:
      json.key("file").string(printable(file));
      return;
    case FindingKey::level:
      json.key("level").string(severity_text(finding.severity));
      return;
    case FindingKey::message:
      json.key("message").string(printable(finding.message));
      return;
    case FindingKey::path:
      json.key("path").string(printable(finding.path));
      return;
    case FindingKey::position:
      json.key("position").integer_or_null(known(finding.place.offset));
      return;
    case FindingKey::record:
      json.key("record").string(printable(finding.record));
      return;
    case FindingKey::rule:
      json.key("rule").string(rule_of(finding.rule).id);
      return;
    case FindingKey::what:
      json.key("what").string(printable(finding.what));
      return;
    case FindingKey::place:
      write_place(json, finding.place);
      return;
  }
}

}  // namespace

bool has_error(const std::vector<Finding>& findings) {
  return std::any_of(findings.begin(), findings.end(),
                     [](const Finding& finding) { return finding.severity == Severity::error; });
}

bool is_not_understood(const Finding& finding) {
  return finding.rule == RuleId::unreadable || finding.rule == RuleId::not_understood;
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

void write_finding(schemagen::JsonWriter& json, const std::string& file, const Finding& finding,
                   std::initializer_list<FindingKey> keys) {
  json.begin('{');
  for (const FindingKey key : keys) write_member(json, file, finding, key);
  json.end('}');
}

void write_place(schemagen::JsonWriter& json, const schemagen::Place& place) {
  const bool has_line = place.line != 0;
  json.key("line").integer_or_null(known(has_line ? std::optional(place.line) : std::nullopt));
  json.key("column").integer_or_null(known(has_line ? std::optional(place.column) : std::nullopt));
  json.key("offset").integer_or_null(known(place.offset));
}

}  // namespace pt2::tool
