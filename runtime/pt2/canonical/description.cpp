#include "pt2/canonical/description.h"

#include <algorithm>
#include <utility>

#include "pt2/canonical/stages.h"
#include "pt2/canonical/value_tables.h"
#include "pt2/graph/walk.h"
#include "pt2/json.h"
#include "schemagen/base/map.h"

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

/// Returns the text of a term without symbols that lack a number. Otherwise, adds its calls and mentions.
std::optional<std::string> add_calls(const Expression& term, std::size_t owner, const std::string& role,
                                     const SymbolicText::NumberOf& number_of, Description& description) {
  if (!term.symbol().empty()) {
    if (const auto number = number_of(term.symbol())) return "#" + std::to_string(*number);
    description.mentions.push_back({std::string(term.symbol()), owner, role});
    return std::nullopt;
  }
  if (term.kind != Expression::Kind::call) return srepr(term);
  description.calls.push_back({"", owner, role});
  const std::size_t number = description.calls.size();
  std::vector<std::string> known;
  for (std::size_t i = 0; i < term.operands.size(); ++i) {
    const std::string place = is_commutative(term.text) ? "" : ordered(i);
    if (auto text = add_calls(term.operands[i], number, place, number_of, description)) {
      known.push_back(place + *text);
    }
  }
  std::sort(known.begin(), known.end());
  std::string text = term.text + " " + std::to_string(term.operands.size());
  for (const std::string& operand : known) text += "," + operand;
  if (known.size() == term.operands.size()) {  // no operand was described
    description.calls.pop_back();
    return text;
  }
  description.calls[number - 1].text = std::move(text);
  return std::nullopt;
}

void append(const Description& inner, const std::string& role, Description& description) {
  const std::size_t before = description.calls.size();
  const auto add = [&](auto part, auto& parts) {
    if (part.owner == 0) {
      part.role = role + part.role;
    } else {
      part.owner += before;
    }
    parts.push_back(std::move(part));
  };
  for (const Description::Call& call : inner.calls) add(call, description.calls);
  for (const Description::Mention& mention : inner.mentions) add(mention, description.mentions);
}

class Occurrences {
 public:
  void add(std::string_view symbol) {
    const auto [mention, is_new] = mentions_.try_emplace(std::string(symbol));
    if (is_new) {
      *mention = description_.mentions.size();
      description_.mentions.push_back({std::string(symbol), 0, ""});
    }
    description_.mentions[*mention].role += ordered(count_++);
  }

  Description take(std::string text) {
    description_.text = std::move(text);
    return std::move(description_);
  }

 private:
  Description description_;
  schemagen::Map<std::size_t> mentions_;
  std::size_t count_ = 0;
};

}  // namespace

Description description_of(const SymbolicText& expression, const SymbolicText::NumberOf& number_of) {
  Occurrences symbols;
  expression.for_each_symbol([&](std::string_view symbol) {
    if (!number_of(symbol)) symbols.add(symbol);
  });
  Description description = symbols.take(blanked(expression, number_of));
  if (expression.term() == nullptr) return description;
  if (description.mentions.size() > 1) {
    description.mentions.clear();
    add_calls(*expression.term(), 0, "", number_of, description);
  } else {
    for (Description::Mention& only : description.mentions)
      only.role.clear();  // the text shows its positions
  }
  return description;
}

Description description_of(std::string_view text, const SymbolicText::NumberOf& number_of,
                           const std::function<bool(std::string_view word)>& is_symbol) {
  Occurrences symbols;
  std::string blanked = replace_symbols(text, [&](std::string_view word) -> std::string {
    if (const auto number = number_of(word)) return "#" + std::to_string(*number);
    if (!is_symbol(word)) return std::string(word);
    symbols.add(word);
    return "";
  });
  return symbols.take(std::move(blanked));
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
    append(inner, ordered(i), description);
    *texts[i] = std::move(inner.text);
  }
  for_each_graph(graph, [&](Graph& any) { name_unused_entries(any, unused); });
  description.text = schemagen::to_json(graph);
  return description;
}

void add_parts(ColouredGraph& graph, ColouredGraph::Vertex described, const Description& description,
               const std::function<ColouredGraph::Vertex(const std::string& symbol)>& vertex_of) {
  std::vector<ColouredGraph::Vertex> owners = {described};
  for (const Description::Call& call : description.calls) {
    owners.push_back(graph.add_vertex("call " + call.text));
    graph.add_edge(owners[call.owner], owners.back(), call.role);
  }
  for (const Description::Mention& mention : description.mentions) {
    graph.add_edge(owners[mention.owner], vertex_of(mention.symbol), mention.role);
  }
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
