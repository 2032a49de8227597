#include "pt2/report/reports.h"

#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

void write_polynomial(schemagen::JsonWriter& json, const Polynomial& value) {
  const auto number = value.number();
  number ? json.integer(*number) : json.string(value.text());
}

}  // namespace

std::optional<StatsKey> find_stats_key(std::string_view name) {
  for (std::size_t i = 0; i < std::size(kStatsKeys); ++i) {
    if (name == kStatsKeys[i]) return static_cast<StatsKey>(i);
  }
  return std::nullopt;
}

std::string unknown_stats_key(std::string_view name) {
  return "unknown key " + schemagen::quoted(name) + ", expected operator, module or node";
}

std::string stats_json(const ProgramStats& stats) {
  schemagen::JsonWriter json(report_options());
  json.begin('{').key("parameters").integer(stats.parameters);
  json.key("parameter_bytes").integer(stats.parameter_bytes).key("buffer_bytes").integer(stats.buffer_bytes);
  json.key("multiply_adds");
  write_polynomial(json, stats.multiply_adds);
  json.key("not_counted").begin('{');
  for (const auto& [name, nodes] : stats.not_counted) json.key(name).count(nodes);
  json.end('}').key("value_bytes");
  write_polynomial(json, stats.value_bytes);
  json.key("peak_bytes").integer_or_null(stats.peak_bytes).key("by").begin('[');
  for (const StatsRow& row : stats.by) {
    json.begin('{').key("name").string(row.key).key("nodes").count(row.nodes);
    json.key("parameters").integer(row.parameters).key("multiply_adds");
    write_polynomial(json, row.multiply_adds);
    json.key("bytes");
    write_polynomial(json, row.bytes);
    json.end('}');
  }
  json.end(']').end('}');
  return std::string(json.view());
}

}  // namespace pt2
