#include "pt2/compare/symbol_roles.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

#include "pt2/graph/value_slots.h"
#include "pt2/graph/walk.h"

namespace pt2 {

std::vector<std::string*> expressions_in_order(Graph& graph) {
  std::vector<std::pair<unsigned long, std::string*>> by_value;
  for_each_table(graph, [&](auto& table, ValueName::Table) {
    for (auto [key, entry] : table) {
      const unsigned long number = key.empty() ? 0 : std::strtoul(key.c_str() + 1, nullptr, 10);
      for_each_expression(entry, [&](std::string& text) { by_value.emplace_back(number, &text); });
    }
  });
  std::stable_sort(by_value.begin(), by_value.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string*> expressions;
  for (const auto& [number, text] : by_value) expressions.push_back(text);
  for (Node& node : graph.nodes) {
    for_each_subgraph(node, [&](GraphArgument& subgraph) {
      const std::vector<std::string*> inner = expressions_in_order(*subgraph.graph);
      expressions.insert(expressions.end(), inner.begin(), inner.end());
    });
  }
  return expressions;
}

std::string_view symbol_letters(std::string_view symbol) {
  for (const std::string_view letters : {"zuf", "zf", "u"}) {
    const std::string_view digits = symbol.substr(std::min(letters.size(), symbol.size()));
    if (symbol.substr(0, letters.size()) == letters && !digits.empty() &&
        digits.find_first_not_of("0123456789") == digits.npos) {
      return letters;
    }
  }
  return "s";
}

std::string role_in(SymbolicText expression, std::string_view symbol,
                    const SymbolicText::NumberOf& number_of) {
  expression.order([&](std::string_view other) -> std::optional<std::size_t> {
    if (other == symbol) return 0;
    const std::optional<std::size_t> number = number_of(other);
    return number ? std::optional(*number + 1) : std::nullopt;
  });
  return expression.text([&](std::string_view other) -> std::string {
    if (other == symbol) return "x";
    const std::optional<std::size_t> number = number_of(other);
    return number ? std::to_string(*number) : "";
  });
}

std::vector<std::string> unknown_symbols(const SymbolicText& expression,
                                         const SymbolicText::NumberOf& number_of) {
  std::vector<std::string> symbols;
  expression.for_each_symbol([&](std::string_view symbol) {
    if (!number_of(symbol)) symbols.emplace_back(symbol);
  });
  std::sort(symbols.begin(), symbols.end());
  symbols.erase(std::unique(symbols.begin(), symbols.end()), symbols.end());
  return symbols;
}

}  // namespace pt2
