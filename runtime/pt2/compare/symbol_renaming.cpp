#include "pt2/compare/symbol_renaming.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "pt2/compare/description.h"
#include "pt2/compare/expressions.h"
#include "pt2/compare/map_order.h"
#include "pt2/compare/refinement.h"
#include "pt2/graph/name_numbers.h"
#include "pt2/json.h"
#include "pt2/text/symbolic_text.h"

namespace pt2 {
namespace {

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
  /// change the order of those after it. Of those that differ in nothing there, the least by `places` comes
  /// first.
  void add_all(SymbolicText& expression, const schemagen::Map<std::size_t>& places) {
    expression.order([&](std::string_view symbol) {
      const std::size_t* const place = places.find(symbol);
      return place == nullptr ? std::nullopt : std::optional(*place);
    });
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

  /// The number of a symbol; nullopt if it was not added.
  std::optional<std::size_t> number(std::string_view symbol) const {
    const Named* const named = symbols_.find(symbol);
    return named == nullptr ? std::nullopt : std::optional(named->number);
  }

  /// A name that was not added stays.
  std::string new_name(std::string_view symbol) const {
    const Named* const named = symbols_.find(symbol);
    return named == nullptr ? std::string(symbol) : named->new_name;
  }

 private:
  struct Named {
    std::size_t number = 0;
    std::string new_name;
  };

  schemagen::Map<Named> symbols_;
  schemagen::Map<std::size_t> counts_;  // by letters
};

/// Expressions, each text once.
class Texts {
 public:
  explicit Texts(const std::vector<std::string*>& places) : places_(places) {
    NameNumbers numbers;
    for (const std::string* place : places_) {
      text_of_.push_back(numbers.number(*place));
      if (text_of_.back() == parsed_.size()) parsed_.emplace_back(*place);
    }
  }

  std::vector<SymbolicText>& parsed() { return parsed_; }

  /// Writes the new names. Ends the use of this object.
  void apply(const Symbols& symbols) {
    std::vector<std::string> renamed;
    for (const SymbolicText& text : parsed_) {
      renamed.push_back(text.text([&](std::string_view symbol) { return symbols.new_name(symbol); }));
    }
    for (std::size_t i = 0; i < places_.size(); ++i) *places_[i] = renamed[text_of_[i]];
  }

 private:
  std::vector<std::string*> places_;
  std::vector<SymbolicText> parsed_;
  std::vector<std::uint32_t> text_of_;  // by place
};

/// `s0`, `u12`, `zf3`: what a guard may call a symbol; other names are Python's.
bool looks_like_symbol(std::string_view name) {
  const std::size_t digits = std::min(name.find_first_of("0123456789"), name.size());
  const std::string_view letters = name.substr(0, digits);
  return digits < name.size() && name.find_first_not_of("0123456789", digits) == name.npos &&
         (letters == "s" || letters == "u" || letters == "zf" || letters == "zuf");
}

// ---- Symbols that no value tells ----

/// The symbols without a number, in an order that does not depend on their names, but on who has which of
/// them.
class SymbolOrder {
 public:
  explicit SymbolOrder(const Symbols& symbols)
      : number_of_([&](auto symbol) { return symbols.number(symbol); }) {}

  /// `what` has `mentions`.
  void add(std::string what, const std::vector<SymbolMention>& mentions) {
    if (mentions.empty()) return;
    const ColouredGraph::Vertex vertex = graph_.add_vertex(std::move(what));
    symbol_of_.emplace_back();
    for (const SymbolMention& mention : mentions) {
      const auto [symbol, is_new] = vertices_.try_emplace(mention.symbol);
      if (is_new) {
        *symbol = graph_.add_vertex("symbol " + std::string(symbol_letters(mention.symbol)));
        symbol_of_.push_back(mention.symbol);
      }
      graph_.add_edge(vertex, *symbol, mention.role);
    }
  }
  void add(const std::string& what, const SymbolicText& expression) {
    const Description description = description_of(expression, number_of_);
    add(what + description.text, description.mentions);
  }
  void add(const UnusedEntry& entry, std::size_t graph) {
    const Description description = description_of(entries_alone(*entry.graph, entry.name), number_of_);
    add("entry " + std::to_string(graph) + description.text, description.mentions);
  }
  void add_guard(const std::string& guard);

  /// The place of each symbol.
  schemagen::Map<std::size_t> places() const {
    schemagen::Map<std::size_t> places;
    for (const ColouredGraph::Vertex vertex : graph_.order()) {
      const std::size_t place = places.size();
      if (!symbol_of_[vertex].empty()) places[symbol_of_[vertex]] = place;
    }
    return places;
  }

 private:
  SymbolicText::NumberOf number_of_;
  ColouredGraph graph_;
  schemagen::Map<ColouredGraph::Vertex> vertices_;  // by symbol
  std::vector<std::string> symbol_of_;              // by vertex; empty: it is no symbol
};

void SymbolOrder::add_guard(const std::string& guard) {
  std::set<std::string, std::less<>> symbols;
  const auto blanked = [&](std::string_view shown) {
    return replace_symbols(guard, [&](std::string_view symbol) -> std::string {
      if (symbol == shown) return "x";
      if (const auto number = number_of_(symbol)) return "#" + std::to_string(*number);
      if (!looks_like_symbol(symbol)) return std::string(symbol);
      symbols.emplace(symbol);
      return "";
    });
  };
  std::string text = blanked({});
  std::vector<SymbolMention> mentions;
  for (const std::string& symbol : std::set(symbols)) mentions.push_back({symbol, blanked(symbol)});
  add("guard " + std::move(text), mentions);
}

/// Whether there are at least two symbols without a number, so that there is something to choose.
bool are_several_unknown(const ExportedProgram& program, Texts& texts, const std::vector<UnusedEntry>& unused,
                         const Symbols& symbols) {
  std::set<std::string, std::less<>> unknown;
  const auto look_at = [&](std::string_view symbol) {
    if (!symbols.number(symbol)) unknown.emplace(symbol);
  };
  for (const SymbolicText& text : texts.parsed()) text.for_each_symbol(look_at);
  for (const UnusedEntry& entry : unused) {
    for (const std::string* text : entry.expressions) SymbolicText(*text).for_each_symbol(look_at);
  }
  for (auto& entry : program.range_constraints) SymbolicText(entry.key()).for_each_symbol(look_at);
  for (const std::string& guard : program.guards_code) {
    replace_symbols(guard, [&](std::string_view symbol) {
      if (looks_like_symbol(symbol)) look_at(symbol);
      return std::string();
    });
  }
  return unknown.size() > 1;
}

/// The places of symbols without a number, if there are several.
schemagen::Map<std::size_t> places_of_unknown(const ExportedProgram& program, Texts& texts,
                                              const std::vector<UnusedEntry>& unused,
                                              const Symbols& symbols) {
  if (!are_several_unknown(program, texts, unused, symbols)) return {};
  SymbolOrder order(symbols);
  for (std::size_t i = 0; i < texts.parsed().size(); ++i) {
    order.add("value " + std::to_string(i), texts.parsed()[i]);
  }
  std::size_t graph = 0;
  for (std::size_t i = 0; i < unused.size(); ++i) {
    if (i > 0 && unused[i].graph != unused[i - 1].graph) ++graph;
    order.add(unused[i], graph);
  }
  for (const auto& [key, range] : program.range_constraints) {
    order.add("range " + schemagen::to_json(range), SymbolicText(key));
  }
  for (const std::string& guard : program.guards_code) order.add_guard(guard);
  return order.places();
}

// ---- All that has symbols ----

/// Symbols that only constraints have are told apart by their bounds.
void rename_constraints(schemagen::Map<RangeConstraint>& constraints, Symbols& symbols,
                        const schemagen::Map<std::size_t>& places) {
  struct Constraint {
    RangeConstraint range;
    std::size_t place;  // of its first symbol that has no number
    SymbolicText key;
  };
  std::vector<Constraint> sorted;
  for (auto& [key, range] : constraints) {
    sorted.push_back({range, places.size(), SymbolicText(key)});
    sorted.back().key.for_each_symbol([&](std::string_view symbol) {
      const std::size_t* const place = places.find(symbol);
      if (place != nullptr) sorted.back().place = std::min(sorted.back().place, *place);
    });
  }
  std::stable_sort(sorted.begin(), sorted.end(), [](const Constraint& a, const Constraint& b) {
    return std::tie(a.range.min_val, a.range.max_val, a.place) <
           std::tie(b.range.min_val, b.range.max_val, b.place);
  });
  schemagen::Map<RangeConstraint> renamed;
  for (Constraint& constraint : sorted) {
    symbols.add_all(constraint.key, places);
    std::string key = constraint.key.text([&](std::string_view symbol) { return symbols.new_name(symbol); });
    *renamed.try_emplace(std::move(key)).first = constraint.range;
  }
  sort_by_key(renamed);
  constraints = std::move(renamed);
}

void rename_guards(std::vector<std::string>& guards, Symbols& symbols) {
  for (std::string& guard : guards) {
    guard = replace_symbols(guard, [&](std::string_view symbol) {
      if (looks_like_symbol(symbol)) symbols.add(symbol);
      return symbols.new_name(symbol);
    });
  }
  std::sort(guards.begin(), guards.end());
}

}  // namespace

void rename_symbols(ExportedProgram& program, const UnusedEntries& unused) {
  const Expressions expressions = expressions_of(program.graph_module.graph, unused);
  Texts texts(expressions.of_values);
  Symbols symbols;
  for (const SymbolicText& text : texts.parsed()) {
    if (!text.only_symbol().empty()) symbols.add(text.only_symbol());
  }
  const schemagen::Map<std::size_t> places = places_of_unknown(program, texts, expressions.unused, symbols);
  for (SymbolicText& text : texts.parsed()) symbols.add_all(text, places);
  rename_constraints(program.range_constraints, symbols, places);
  std::vector<std::pair<std::size_t, std::string>> left;
  for (const auto& [symbol, place] : places) left.emplace_back(place, symbol);
  std::sort(left.begin(), left.end());
  for (const auto& [place, symbol] : left) symbols.add(symbol);
  std::vector<std::string*> places_of_unused;
  for (const UnusedEntry& entry : expressions.unused) {
    places_of_unused.insert(places_of_unused.end(), entry.expressions.begin(), entry.expressions.end());
  }
  Texts texts_of_unused(places_of_unused);
  for (SymbolicText& text : texts_of_unused.parsed()) symbols.add_all(text, places);
  texts.apply(symbols);
  texts_of_unused.apply(symbols);
  rename_guards(program.guards_code, symbols);
}

}  // namespace pt2
