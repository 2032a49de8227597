#include "pt2/canonical/expressions.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "pt2/graph/walk.h"

namespace pt2 {
namespace {

void add_expressions(Expressions& expressions, Graph& graph, const UnusedEntries& unused) {
  const auto first_unused = unused.find(&graph);
  std::vector<std::pair<std::size_t, std::string*>> by_value;
  for_each_table(graph, [&](auto& table, ValueName::Table) {
    for (auto& [key, entry] : table) {
      const std::size_t number = number_in(key);
      if (first_unused != unused.end() && number >= first_unused->second.first) continue;
      for_each_expression(entry, [&](std::string& text) { by_value.emplace_back(number, &text); });
    }
  });
  std::stable_sort(by_value.begin(), by_value.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [number, text] : by_value) expressions.of_values.push_back(text);
  for (std::string& name : unused_names(graph, unused)) {
    UnusedEntry unused_entry = {&graph, std::move(name), {}};
    for_each_table(graph, [&](auto& table, ValueName::Table) {
      auto* const entry = table.find(unused_entry.name);
      if (entry == nullptr) return;
      for_each_expression(*entry, [&](std::string& text) { unused_entry.expressions.push_back(&text); });
    });
    expressions.unused.push_back(std::move(unused_entry));
  }
}

}  // namespace

Expressions expressions_of(Graph& graph, const UnusedEntries& unused) {
  Expressions expressions;
  for_each_graph(graph, [&](Graph& any) { add_expressions(expressions, any, unused); });
  return expressions;
}

}  // namespace pt2
