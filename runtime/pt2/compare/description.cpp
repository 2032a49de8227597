#include "pt2/compare/description.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "pt2/compare/expressions.h"
#include "pt2/compare/unused_entries.h"
#include "pt2/compare/value_renaming.h"
#include "pt2/graph/walk.h"
#include "pt2/json.h"

namespace pt2 {
namespace {

/// `expression` with `symbol` as `x`, symbols that have a number as that, all others alike; operands in the
/// order that then follows.
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
    return number ? "#" + std::to_string(*number) : "";
  });
}

}  // namespace

Description description_of(const SymbolicText& expression, const SymbolicText::NumberOf& number_of) {
  Description description;
  expression.for_each_symbol([&](std::string_view symbol) {
    const auto is_known = [&](const SymbolMention& mention) { return mention.symbol == symbol; };
    std::vector<SymbolMention>& mentions = description.mentions;
    if (number_of(symbol) || std::any_of(mentions.begin(), mentions.end(), is_known)) return;
    mentions.push_back({std::string(symbol), role_in(expression, symbol, number_of)});
  });
  description.text = role_in(expression, {}, number_of);
  return description;
}

Description description_of(Graph graph, const SymbolicText::NumberOf& number_of) {
  Description description;
  const UnusedEntries unused = rename_values(graph);
  const Expressions expressions = expressions_of(graph, unused);
  std::vector<std::string*> texts = expressions.of_values;
  for (const UnusedEntry& entry : expressions.unused) {
    texts.insert(texts.end(), entry.expressions.begin(), entry.expressions.end());
  }
  for (std::size_t i = 0; i < texts.size(); ++i) {
    Description inner = description_of(SymbolicText(*texts[i]), number_of);
    for (SymbolMention& mention : inner.mentions) {
      mention.role = std::to_string(i) + " " + mention.role;
      description.mentions.push_back(std::move(mention));
    }
    *texts[i] = std::move(inner.text);
  }
  for_each_graph(graph, [&](Graph& any) { name_unused_entries(any, unused); });
  description.text = schemagen::to_json(graph);
  return description;
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

}  // namespace pt2
