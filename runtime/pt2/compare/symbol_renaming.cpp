#include "pt2/compare/symbol_renaming.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pt2/compare/map_order.h"
#include "pt2/graph/name_numbers.h"
#include "pt2/graph/walk.h"
#include "pt2/text/symbolic_text.h"

namespace pt2 {
namespace {

// ---- Where expressions are ----

/// Calls `visit` with the text of each expression of a value.
template <class Sym, class Visit>
void for_each_expression(Sym& value, const Visit& visit) {
  if (SymExpr* const expression = value.template get_if<Sym::as_expr>()) visit(expression->expr_str);
}
template <class Visit>
void for_each_expression(CustomObjArgument&, const Visit&) {}
template <class Visit>
void for_each_expression(TensorMeta& meta, const Visit& visit) {
  for (SymInt& size : meta.sizes) for_each_expression(size, visit);
  for (SymInt& stride : meta.strides) for_each_expression(stride, visit);
  for_each_expression(meta.storage_offset, visit);
}

/// Adds the texts of the graph's expressions in the order in which its values are defined, then those of its
/// subgraphs.
void collect_expressions(Graph& graph, std::vector<std::string*>& expressions) {
  std::vector<std::pair<unsigned long, std::string*>> numbered;
  for_each_table(graph, [&](auto& table, ValueName::Table) {
    for (auto [key, value] : table) {
      const unsigned long number = key.empty() ? 0 : std::strtoul(key.c_str() + 1, nullptr, 10);
      for_each_expression(value, [&](std::string& text) { numbered.emplace_back(number, &text); });
    }
  });
  std::stable_sort(numbered.begin(), numbered.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [number, text] : numbered) expressions.push_back(text);
  for (Node& node : graph.nodes) {
    for_each_subgraph(node,
                      [&](GraphArgument& subgraph) { collect_expressions(*subgraph.graph, expressions); });
  }
}

// ---- New names ----

/// The letters by which torch tells unbacked symbols and floats from sizes.
std::string_view kind_letters(std::string_view symbol) {
  for (const std::string_view letters : {"zuf", "zf", "u"}) {
    const std::string_view digits = symbol.substr(std::min(letters.size(), symbol.size()));
    if (symbol.substr(0, letters.size()) == letters && !digits.empty() &&
        digits.find_first_not_of("0123456789") == digits.npos) {
      return letters;
    }
  }
  return "s";
}

class Symbols {
 public:
  /// Gives a number and a name to `symbol`, if it has none.
  void add(std::string_view symbol) {
    const auto [named, is_new] = symbols_.try_emplace(std::string(symbol));
    if (!is_new) return;
    const std::string_view letters = kind_letters(symbol);
    named->number = symbols_.size() - 1;
    named->new_name = std::string(letters) + std::to_string(counts_[letters]++);
  }

  /// Adds those of `expression` in its own order, which it is left in: a symbol that gets its number may
  /// change the order of those after it.
  void add_all(SymbolicText& expression) {
    const auto number_of = [&](std::string_view symbol) { return number(symbol); };
    while (expression.order(number_of)) {
      std::string_view first;
      expression.for_each_symbol([&](std::string_view symbol) {
        if (first.empty() && !symbols_.contains(symbol)) first = symbol;
      });
      if (first.empty()) return;
      add(first);
    }
    expression.for_each_symbol([&](std::string_view symbol) { add(symbol); });
  }

  /// A name that was not added stays.
  std::string new_name(std::string_view symbol) const {
    const Named* const named = symbols_.find(symbol);
    return named == nullptr ? std::string(symbol) : named->new_name;
  }

  std::string renamed(const SymbolicText& expression) const {
    return expression.text([&](std::string_view symbol) { return new_name(symbol); });
  }

 private:
  struct Named {
    std::size_t number = 0;
    std::string new_name;
  };

  std::optional<std::size_t> number(std::string_view symbol) const {
    const Named* const named = symbols_.find(symbol);
    return named == nullptr ? std::nullopt : std::optional(named->number);
  }

  schemagen::Map<Named> symbols_;
  schemagen::Map<std::size_t> counts_;  // by letters
};

/// Renames in all expressions, of which most programs have few different ones.
void rename_expressions(const std::vector<std::string*>& expressions, Symbols& symbols) {
  NameNumbers texts;
  std::vector<SymbolicText> parsed;
  std::vector<std::uint32_t> text_of;
  for (const std::string* expression : expressions) {
    text_of.push_back(texts.number(*expression));
    if (text_of.back() == parsed.size()) parsed.emplace_back(*expression);
  }
  for (const SymbolicText& text : parsed) {
    if (!text.only_symbol().empty()) symbols.add(text.only_symbol());
  }
  for (SymbolicText& text : parsed) symbols.add_all(text);
  std::vector<std::string> renamed;
  for (const SymbolicText& text : parsed) renamed.push_back(symbols.renamed(text));
  for (std::size_t i = 0; i < expressions.size(); ++i) *expressions[i] = renamed[text_of[i]];
}

/// Symbols that only constraints have are told apart by their bounds.
void rename_constraints(schemagen::Map<RangeConstraint>& constraints, Symbols& symbols) {
  std::vector<std::pair<SymbolicText, RangeConstraint>> entries;
  for (auto [key, range] : constraints) entries.emplace_back(SymbolicText(key), range);
  std::vector<const std::pair<SymbolicText, RangeConstraint>*> by_bounds;
  for (const auto& entry : entries) by_bounds.push_back(&entry);
  std::stable_sort(by_bounds.begin(), by_bounds.end(), [](const auto* a, const auto* b) {
    return std::pair(a->second.min_val, a->second.max_val) < std::pair(b->second.min_val, b->second.max_val);
  });
  for (const auto* entry : by_bounds) {
    SymbolicText key = entry->first;
    symbols.add_all(key);
  }
  schemagen::Map<RangeConstraint> renamed;
  for (auto& [key, range] : entries) *renamed.try_emplace(symbols.renamed(key)).first = range;
  sort_by_key(renamed);
  constraints = std::move(renamed);
}

void rename_guards(std::vector<std::string>& guards, const Symbols& symbols) {
  for (std::string& guard : guards) {
    guard = replace_symbols(guard, [&](std::string_view symbol) { return symbols.new_name(symbol); });
  }
  std::sort(guards.begin(), guards.end());
}

}  // namespace

void rename_symbols(ExportedProgram& program) {
  std::vector<std::string*> expressions;
  collect_expressions(program.graph_module.graph, expressions);
  Symbols symbols;
  rename_expressions(expressions, symbols);
  rename_constraints(program.range_constraints, symbols);
  rename_guards(program.guards_code, symbols);
}

}  // namespace pt2
