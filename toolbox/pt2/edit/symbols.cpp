#include "pt2/edit/symbols.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "pt2/graph/walk.h"
#include "pt2/text/symbolic_text.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"

namespace pt2 {

schemagen::Map<bool> symbols_of(const ExportedProgram& program) {
  schemagen::Map<bool> symbols;
  const auto take = [&](std::string_view symbol) { symbols.try_emplace(std::string(symbol)); };
  for_each_graph(program.graph_module.graph, [&](const Graph& graph) {
    for_each_table(graph, [&](const auto& table, ValueName::Table) {
      for (const auto& [name, entry] : table) {
        for_each_expression(entry,
                            [&](const std::string& text) { SymbolicText(text).for_each_symbol(take); });
      }
    });
  });
  for (const auto& [text, range] : program.range_constraints) SymbolicText(text).for_each_symbol(take);
  return symbols;
}

void require_in_range(const ExportedProgram& program, const std::string& symbol, std::int64_t value) {
  const RangeConstraint* const range = program.range_constraints.find(symbol);
  if (range == nullptr) return;
  const std::int64_t least = range->min_val.value_or(std::numeric_limits<std::int64_t>::min());
  const std::int64_t most = range->max_val.value_or(std::numeric_limits<std::int64_t>::max());
  if (value >= least && value <= most) return;
  const std::string expected = range->min_val && range->max_val
                                   ? "from " + std::to_string(least) + " to " + std::to_string(most)
                               : range->min_val ? "of at least " + std::to_string(least)
                                                : "of at most " + std::to_string(most);
  throw schemagen::UsageError(schemagen::printable(symbol) + ": expected a value " + expected + ", got " +
                              std::to_string(value));
}

void require_symbols(const ExportedProgram& program, const Bindings& bindings) {
  if (bindings.empty()) return;
  std::vector<std::string> symbols;
  for (const auto& [symbol, unused] : symbols_of(program)) symbols.push_back(symbol);
  std::sort(symbols.begin(), symbols.end());
  std::string known;
  for (const std::string& symbol : symbols) known += (known.empty() ? "its symbols are " : ", ") + symbol;
  for (const auto& [symbol, value] : bindings) {
    if (std::binary_search(symbols.begin(), symbols.end(), symbol)) {
      require_in_range(program, symbol, value);
      continue;
    }
    throw schemagen::UsageError("the program has no symbol " + schemagen::quoted(symbol) + ": " +
                                (known.empty() ? "it has none" : schemagen::printable(known)));
  }
}

std::string take_symbol(std::string_view wanted, schemagen::Map<bool>& taken) {
  const std::string letters(wanted.substr(0, wanted.find_last_not_of("0123456789") + 1));
  std::string name(wanted);
  for (std::size_t number = 0; !taken.try_emplace(name).second; ++number) {
    name = letters + std::to_string(number);
  }
  return name;
}

}  // namespace pt2
