#include "pt2/report/reports.h"

#include <optional>
#include <string>
#include <vector>

namespace pt2 {
namespace {

std::optional<std::string> if_any_text(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

}  // namespace

const char* kind_name(Difference::Kind kind) {
  switch (kind) {
    case Difference::Kind::added:
      return "added";
    case Difference::Kind::removed:
      return "removed";
    case Difference::Kind::changed:
      break;
  }
  return "changed";
}

std::string differences_json(const std::vector<Difference>& differences) {
  schemagen::JsonWriter json(report_options());
  json.begin('{').key("same").boolean(differences.empty()).key("differences").begin('[');
  for (const Difference& difference : differences) {
    json.begin('{').key("kind").string(kind_name(difference.kind)).key("part").string(difference.part);
    json.key("where").string_or_null(if_any_text(difference.where));
    json.key("before").string_or_null(if_any_text(difference.before));
    json.key("after").string_or_null(if_any_text(difference.after));
    json.key("details").begin('[');
    for (const std::string& detail : difference.details) json.string(detail);
    json.end(']').key("largest_absolute").floating_or_null(difference.largest_absolute);
    json.key("largest_relative").floating_or_null(difference.largest_relative).end('}');
  }
  json.end(']').end('}');
  return std::string(json.view());
}

}  // namespace pt2
