#include "pt2/canonical/description.h"

#include <algorithm>

#include "pt2/canonical/stages.h"
#include "pt2/graph/walk.h"
#include "pt2/json.h"

namespace pt2 {
namespace {

/// Symbols become their numbers, or nothing; operands are sorted by the result.
std::string blanked(SymbolicText expression, const SymbolicText::NumberOf& number_of) {
  expression.order(number_of);
  return expression.text([&](std::string_view symbol) -> std::string {
    const std::optional<std::size_t> number = number_of(symbol);
    return number ? "#" + std::to_string(*number) : "";
  });
}

/// Returns the text of a term without symbols that lack a number. Otherwise, adds its calls and symbols.
std::optional<std::string> add_calls(const Describer& to, const Expression& term, ColouredGraph::Vertex owner,
                                     const std::string& role) {
  if (!term.symbol().empty()) {
    if (const auto number = to.number_of(term.symbol())) return "#" + std::to_string(*number);
    to.graph.add_edge(owner, to.vertex_of(std::string(term.symbol())), role);
    return std::nullopt;
  }
  if (term.kind != Expression::Kind::call) return srepr(term);
  const ColouredGraph::Vertex call = to.graph.add_vertex("");
  std::vector<std::string> known;
  for (std::size_t i = 0; i < term.operands.size(); ++i) {
    const std::string place = is_commutative(term.text) ? "" : ordered(i);
    if (auto text = add_calls(to, term.operands[i], call, place)) known.push_back(place + *text);
  }
  std::sort(known.begin(), known.end());
  std::string text = term.text + " " + std::to_string(term.operands.size());
  for (const std::string& operand : known) text += "," + operand;
  if (known.size() == term.operands.size()) {  // no operand was described
    to.graph.remove_last_vertex();
    return text;
  }
  to.graph.set_colour(call, "call " + text);
  to.graph.add_edge(owner, call, role);
  return std::nullopt;
}

/// The places of symbols in a text by symbol.
struct Occurrences {
  void add(std::string_view symbol) { places[std::string(symbol)] += ordered(count++); }

  schemagen::Map<std::string> places;
  std::size_t count = 0;
};

}  // namespace

std::string Describer::text(const SymbolicText& expression, Vertex owner, const std::string& role) const {
  Occurrences symbols;
  expression.for_each_symbol([&](std::string_view symbol) {
    if (!number_of(symbol)) symbols.add(symbol);
  });
  const bool is_term = expression.term() != nullptr;
  if (is_term && symbols.places.size() > 1) {
    add_calls(*this, *expression.term(), owner, role);
  } else {
    // The text of a term shows the places of its only symbol.
    for (const auto& [symbol, places] : symbols.places)
      graph.add_edge(owner, vertex_of(symbol), is_term ? role : role + places);
  }
  return blanked(expression, number_of);
}

std::string Describer::guard_text(std::string_view guard, Vertex owner) const {
  Occurrences symbols;
  std::string text = replace_symbols(guard, [&](std::string_view word) -> std::string {
    if (const auto number = number_of(word)) return "#" + std::to_string(*number);
    if (!looks_like_symbol(word)) return std::string(word);
    symbols.add(word);
    return "";
  });
  for (const auto& [symbol, places] : symbols.places) graph.add_edge(owner, vertex_of(symbol), places);
  return text;
}

std::string Describer::text(Graph part, Vertex owner) const {
  const UnusedEntries unused = rename_values(part);
  const Expressions expressions = expressions_of(part, unused);
  std::vector<std::string*> texts = expressions.of_values;
  texts.insert(texts.end(), expressions.of_unused.begin(), expressions.of_unused.end());
  for (std::size_t i = 0; i < texts.size(); ++i) *texts[i] = text(SymbolicText(*texts[i]), owner, ordered(i));
  for_each_graph(part, [&](Graph& any) { name_unused_entries(any, unused); });
  return schemagen::to_json(part);
}

std::string ordered(std::size_t number) {
  const std::string digits = std::to_string(number);
  return static_cast<char>('a' + digits.size()) + digits;
}

bool looks_like_symbol(std::string_view name) {
  const std::size_t digits = std::min(name.find_first_of("0123456789"), name.size());
  const std::string_view letters = name.substr(0, digits);
  return digits < name.size() && name.find_first_not_of("0123456789", digits) == name.npos &&
         (letters == "s" || letters == "u" || letters == "zf" || letters == "zuf");
}

std::string_view symbol_letters(std::string_view symbol) {
  return looks_like_symbol(symbol) ? symbol.substr(0, symbol.find_first_of("0123456789")) : "s";
}

}  // namespace pt2
