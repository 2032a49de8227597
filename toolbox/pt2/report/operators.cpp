#include "pt2/report/reports.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "pt2/stats/stats.h"
#include "pt2/strings/argument_text.h"
#include "pt2/text/type_names.h"

namespace pt2 {
namespace {

void write_dtypes(schemagen::JsonWriter& json, const char* key, const std::vector<ScalarType>& dtypes) {
  json.key(key).begin('[');
  for (const ScalarType dtype : dtypes) json.string(torch_name(dtype));
  json.end(']');
}

void write_strings(schemagen::JsonWriter& json, const char* key, const std::vector<std::string>& strings) {
  json.key(key).begin('[');
  for (const std::string& each : strings) json.string(each);
  json.end(']');
}

void write_missing(schemagen::JsonWriter& json, const OperatorUse& use, const AskedOperators& asked) {
  json.begin('{').key("why").string(use.missing);
  write_strings(json, "nodes", use.missing_nodes);
  if (asked.is_backend && use.decomposes_to) {
    write_strings(json, "decomposes_to", operator_texts(*use.decomposes_to));
    write_strings(json, "still_missing", asked.still_missing(use));
  } else {
    json.key("decomposes_to").null().key("still_missing").null();
  }
  json.end('}');
}

void write_use(schemagen::JsonWriter& json, const OperatorUse& use, const AskedOperators& asked) {
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
    json.null();
  } else {
    write_missing(json, use, asked);
  }
  json.end('}');
}

}  // namespace

std::vector<std::string> operator_texts(const std::vector<std::string>& targets) {
  std::vector<std::string> names;
  for (const std::string& target : targets) names.push_back(operator_text(target));
  return names;
}

std::vector<std::string> AskedOperators::still_missing(const OperatorUse& use) const {
  if (!use.decomposes_to) {
    return use.missing.empty() ? std::vector<std::string>()
                               : std::vector<std::string>{operator_text(use.target)};
  }
  std::vector<std::string> missing;
  for (const std::string& target : *use.decomposes_to) {
    Node node;
    node.target = target;
    if (!support(node, {}).empty()) missing.push_back(operator_text(target));
  }
  return missing;
}

std::string operators_json(const std::vector<OperatorUse>& uses, const AskedOperators& asked) {
  const auto missing =
      std::count_if(uses.begin(), uses.end(), [](const OperatorUse& use) { return !use.missing.empty(); });
  schemagen::JsonWriter json(report_options());
  json.begin('{').key("asked").string_or_null(asked.name.empty() ? std::nullopt : std::optional(asked.name));
  json.key("missing").count(static_cast<std::size_t>(missing)).key("operators").begin('[');
  for (const OperatorUse& use : uses) write_use(json, use, asked);
  json.end(']').end('}');
  return std::string(json.view());
}

}  // namespace pt2
