#include "pt2/report/finding_json.h"

#include <cstddef>
#include <cstdint>
#include <optional>

#include "pt2/findings/rules.h"
#include "schemagen/base/quote.h"

namespace pt2 {
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

}  // namespace pt2
