#include "pt2/compare/symbol_renaming.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pt2/compare/map_order.h"
#include "pt2/compare/symbol_roles.h"
#include "pt2/graph/name_numbers.h"
#include "pt2/text/symbolic_text.h"

namespace pt2 {
namespace {

// ---- New names ----

class Symbols {
 public:
  /// Gives a number and a name to `symbol`, if it has none.
  void add(std::string_view symbol) {
    const auto [named, is_new] = symbols_.try_emplace(std::string(symbol));
    if (!is_new) return;
    const std::string_view letters = symbol_letters(symbol);
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
  const std::vector<std::string*> expressions = expressions_in_order(program.graph_module.graph);
  Symbols symbols;
  rename_expressions(expressions, symbols);
  rename_constraints(program.range_constraints, symbols);
  rename_guards(program.guards_code, symbols);
}

}  // namespace pt2
