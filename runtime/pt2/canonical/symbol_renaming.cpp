#include "pt2/canonical/stages.h"

#include <limits>
#include <tuple>

#include "pt2/canonical/description.h"
#include "pt2/canonical/map_order.h"
#include "pt2/graph/index.h"
#include "pt2/json.h"

namespace pt2 {
namespace {

class Symbols {
 public:
  void add(std::string_view symbol) {
    const auto [named, is_new] = symbols_.try_emplace(std::string(symbol));
    if (!is_new) return;
    const std::string_view letters = symbol_letters(symbol);
    named->number = symbols_.size() - 1;
    named->new_name = std::string(letters) + std::to_string(counts_[letters]++);
  }

  /// Each new number may change the order of later symbols. Indistinguishable symbols keep the order of
  /// `places`.
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

  std::optional<std::size_t> number(std::string_view symbol) const {
    const Named* const named = symbols_.find(symbol);
    return named == nullptr ? std::nullopt : std::optional(named->number);
  }

  std::string new_name(std::string_view symbol) const {
    const Named* const named = symbols_.find(symbol);
    return named == nullptr ? std::string(symbol) : named->new_name;
  }

  schemagen::Map<std::string> originals() const {
    schemagen::Map<std::string> originals;
    for (const auto& [symbol, named] : symbols_) originals[named.new_name] = symbol;
    return originals;
  }

 private:
  struct Named {
    std::size_t number = 0;
    std::string new_name;
  };

  schemagen::Map<Named> symbols_;
  schemagen::Map<std::size_t> counts_;
};

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
  std::vector<std::uint32_t> text_of_;
};

class SymbolOrder {
 public:
  explicit SymbolOrder(const Symbols& symbols)
      : describer_{graph_, [&](auto symbol) { return symbols.number(symbol); },
                   [this](const std::string& symbol) { return vertex_of(symbol); }} {}

  void add(const std::string& what, const SymbolicText& expression) {
    const ColouredGraph::Vertex vertex = graph_.add_vertex("");
    graph_.set_colour(vertex, what + describer_.text(expression, vertex));
  }
  void add_guard(const std::string& guard) {
    const ColouredGraph::Vertex vertex = graph_.add_vertex("");
    graph_.set_colour(vertex, "guard " + describer_.guard_text(guard, vertex));
  }
  void add(const Graph& graph, std::size_t number, const std::vector<std::string>& entries) {
    const std::string what = "entry " + ordered(number);
    schemagen::Map<ColouredGraph::Vertex> vertices;
    for (const std::string& name : entries) {
      const ColouredGraph::Vertex vertex = vertices[name] = graph_.add_vertex("");
      graph_.set_colour(vertex, what + describer_.text(entries_alone(graph, name), vertex));
    }
    add_references(graph, vertices, what, graph_);
  }

  schemagen::Map<std::size_t> places() const {
    if (symbols_.size() < 2) return {};
    const std::vector<ColouredGraph::Vertex> order = graph_.order();
    std::vector<std::size_t> place_of(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) place_of[order[i]] = i;
    schemagen::Map<std::size_t> places;
    for (const auto& [symbol, vertex] : symbols_) places[symbol] = place_of[vertex];
    return places;
  }

 private:
  ColouredGraph::Vertex vertex_of(const std::string& symbol) {
    const auto [known, is_new] = symbols_.try_emplace(symbol);
    if (is_new) *known = graph_.add_vertex("symbol " + std::string(symbol_letters(symbol)));
    return *known;
  }

  ColouredGraph graph_;
  Describer describer_;
  schemagen::Map<ColouredGraph::Vertex> symbols_;
};

schemagen::Map<std::size_t> places_of_unknown(const ExportedProgram& program, Texts& texts,
                                              const Expressions& expressions, const Symbols& symbols) {
  SymbolOrder order(symbols);
  for (std::size_t i = 0; i < texts.parsed().size(); ++i) {
    order.add("value " + ordered(i), texts.parsed()[i]);
  }
  std::size_t graphs = 0;
  for (const auto& [graph, names] : expressions.unused) order.add(*graph, graphs++, names);
  for (const auto& [key, range] : program.range_constraints) {
    order.add("range " + schemagen::to_json(range), SymbolicText(key));
  }
  for (const std::string& guard : program.guards_code) order.add_guard(guard);
  return order.places();
}

/// Symbols that occur only in constraints are ordered by their bounds.
void rename_constraints(schemagen::Map<RangeConstraint>& constraints, Symbols& symbols,
                        const schemagen::Map<std::size_t>& places) {
  struct Constraint {
    RangeConstraint range;
    std::vector<std::size_t> places;
    SymbolicText key;
  };
  std::vector<Constraint> sorted;
  for (auto& [key, range] : constraints) {
    sorted.push_back({range, {}, SymbolicText(key)});
    Constraint& constraint = sorted.back();
    constraint.key.for_each_symbol([&](std::string_view symbol) {
      if (const std::size_t* const place = places.find(symbol)) constraint.places.push_back(*place);
    });
    constraint.places.push_back(std::numeric_limits<std::size_t>::max());
    std::sort(constraint.places.begin(), constraint.places.end());
  }
  std::stable_sort(sorted.begin(), sorted.end(), [](const Constraint& a, const Constraint& b) {
    return std::tie(a.range.min_val, a.range.max_val, a.places) <
           std::tie(b.range.min_val, b.range.max_val, b.places);
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

schemagen::Map<std::string> rename_symbols(ExportedProgram& program, const UnusedEntries& unused) {
  const Expressions expressions = expressions_of(program.graph_module.graph, unused);
  Texts texts(expressions.of_values);
  Symbols symbols;
  for (const SymbolicText& text : texts.parsed()) {
    if (!text.only_symbol().empty()) symbols.add(text.only_symbol());
  }
  const schemagen::Map<std::size_t> places = places_of_unknown(program, texts, expressions, symbols);
  for (SymbolicText& text : texts.parsed()) symbols.add_all(text, places);
  rename_constraints(program.range_constraints, symbols, places);
  std::vector<std::pair<std::size_t, std::string>> left;
  for (const auto& [symbol, place] : places) left.emplace_back(place, symbol);
  std::sort(left.begin(), left.end());
  for (const auto& [place, symbol] : left) symbols.add(symbol);
  Texts texts_of_unused(expressions.of_unused);
  for (SymbolicText& text : texts_of_unused.parsed()) symbols.add_all(text, places);
  texts.apply(symbols);
  texts_of_unused.apply(symbols);
  rename_guards(program.guards_code, symbols);
  return symbols.originals();
}

}  // namespace pt2
