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
  const auto text = [&](const char* name, std::string_view value) {
    json.key(name).string(schemagen::printable(value));
  };
  switch (key) {
    case FindingKey::file:
      return text("file", file);
    case FindingKey::level:
      return text("level", severity_text(finding.severity));
    case FindingKey::message:
      return text("message", finding.message);
    case FindingKey::path:
      return text("path", finding.path);
    case FindingKey::position:
      json.key("position").integer_or_null(known(finding.place.offset));
      return;
    case FindingKey::record:
      return text("record", finding.record);
    case FindingKey::rule:
      return text("rule", rule_of(finding.rule).id);
    case FindingKey::what:
      return text("what", finding.what);
    case FindingKey::place:
      return write_place(json, finding.place);
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
