#include "pt2/report/reports.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "pt2/analysis/stats/stats.h"
#include "pt2/analysis/text/argument_text.h"
#include "pt2/versions/text/type_names.h"

namespace pt2 {
namespace {

void write_dtypes(JsonBuilder& json, const char* key, const std::vector<ScalarType>& dtypes) {
  json.key(key).begin('[');
  for (const ScalarType dtype : dtypes) json.string(torch_name(dtype));
  json.end(']');
}

void write_use(JsonBuilder& json, const OperatorUse& use) {
  json.begin('{').key("name").string(operator_text(use.target)).key("nodes").count(use.nodes);
  json.key("dtypes").begin('[');
  for (const OperatorDtypes& each : use.dtypes) {
    json.begin('{');
    write_dtypes(json, "arguments", each.arguments);
    write_dtypes(json, "results", each.results);
    json.key("nodes").count(each.nodes).end('}');
  }
  json.end(']').key("missing");
  if (use.missing.empty()) {
    json.null().end('}');
    return;
  }
  json.begin('{').key("why").string(use.missing).key("nodes").begin('[');
  for (const std::string& name : use.missing_nodes) json.string(name);
  json.end(']').end('}').end('}');
}

}  // namespace

std::string operators_json(const std::vector<OperatorUse>& uses, const std::string& asked) {
  const auto missing =
      std::count_if(uses.begin(), uses.end(), [](const OperatorUse& use) { return !use.missing.empty(); });
  JsonBuilder json;
  json.begin('{').key("asked").string_or_null(asked.empty() ? std::nullopt : std::optional(asked));
  json.key("missing").count(static_cast<std::size_t>(missing)).key("operators").begin('[');
  for (const OperatorUse& use : uses) write_use(json, use);
  json.end(']').end('}');
  return std::string(json.view());
}

}  // namespace pt2
