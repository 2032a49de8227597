#include "pt2/report/page_costs.h"

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pt2/report/report_options.h"
#include "pt2/report/stats_rows.h"
#include "pt2/stats/stats.h"
#include "pt2/text/literal.h"
#include "pt2/text/symbolic_text.h"
#include "schemagen/base/error.h"
#include "schemagen/json/json_writer.h"

namespace pt2 {
namespace {

/// A number, or terms: a coefficient, then symbols, each with its power.
void write_terms(schemagen::JsonWriter& json, const Polynomial& value) {
  if (const auto number = value.number()) {
    json.integer(*number);
    return;
  }
  json.begin('[');
  for (const auto& [powers, coefficient] : value.terms()) {
    json.begin('[').integer(coefficient);
    for (const auto& [symbol, power] : powers) json.string(printable(symbol)).integer(power);
    json.end(']');
  }
  json.end(']');
}

Bindings example_of(const Graph& graph) {
  Bindings bindings;
  std::set<std::string_view> seen;
  for (const auto& [name, meta] : graph.tensor_values) {
    for (const SymInt& size : meta.sizes) {
      const SymExpr* const expression = size.get_if<SymInt::as_expr>();
      if (expression == nullptr || !expression->hint || !seen.insert(expression->expr_str).second) continue;
      const std::int64_t* const hint = expression->hint->get_if<SymExprHint::as_int>();
      const std::string symbol(SymbolicText(expression->expr_str).only_symbol());
      if (hint != nullptr && !symbol.empty()) bindings.insert(symbol, *hint);
    }
  }
  return bindings;
}

void write_fact(schemagen::JsonWriter& json, const std::string& name, const std::string& value) {
  json.begin('[').string(name).string(value).end(']');
}

}  // namespace

std::string page_costs(const ExportedProgram& program) {
  schemagen::JsonWriter json(report_options(), schemagen::JsonWriter::Punctuation::compact);
  json.begin('{').key("facts").begin('[');
  ProgramStats stats;
  try {
    StatsOptions options;
    options.by = StatsKey::modules;
    stats = stats_of(program, options);
    for (const Row& row : stats_rows(stats)) write_fact(json, row[0], row[1]);
  } catch (const schemagen::DataError& error) {
    write_fact(json, "note", "unknown costs: " + std::string(error.what()));
  }
  json.end(']').key("modules").begin('[');
  for (const StatsRow& row : stats.by) {
    json.begin('[').string(printable(row.key)).count(row.nodes);
    write_terms(json, row.multiply_adds);
    write_terms(json, row.bytes);
    json.end(']');
  }
  json.end(']').key("sizes").begin('[');
  for (const auto& [symbol, size] : example_of(program.graph_module.graph)) {
    json.begin('[').string(printable(symbol)).integer(size).end(']');
  }
  return std::string(json.end(']').end('}').view());
}

}  // namespace pt2
