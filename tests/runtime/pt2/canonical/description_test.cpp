#include "pt2/canonical/description.h"

#include <catch2/catch.hpp>

#include "runtime/pt2/canonical/canonical_texts.h"

namespace {

std::optional<std::size_t> no_number(std::string_view) {
  return std::nullopt;
}

std::string srepr_symbol(const std::string& name) {
  return "Symbol('" + name + "', integer=True)";
}

/// A part that is described as vertex 0, its symbols in order of description, and what tells them apart.
struct Described {
  template <class Describe>
  explicit Described(const Describe& describe, const pt2::SymbolicText::NumberOf& number_of = no_number) {
    pt2::ColouredGraph graph;
    std::vector<pt2::ColouredGraph::Vertex> vertices;
    const auto vertex_of = [&](const std::string& symbol) {
      const auto known = std::find(symbols.begin(), symbols.end(), symbol);
      if (known != symbols.end()) return vertices[static_cast<std::size_t>(known - symbols.begin())];
      symbols.push_back(symbol);
      return vertices.emplace_back(graph.add_vertex("symbol"));
    };
    const auto part = graph.add_vertex("part");
    text = describe(pt2::Describer{graph, number_of, vertex_of}, part);
    // Of two vertices with one color, the one with the greater number follows unless edges tell them apart.
    for (const pt2::ColouredGraph::Vertex vertex : graph.order()) {
      const auto place = std::find(vertices.begin(), vertices.end(), vertex);
      if (place != vertices.end())
        order.push_back(symbols[static_cast<std::size_t>(place - vertices.begin())]);
    }
  }

  std::string text;
  Texts symbols;
  Texts order;
};

Described described(const std::string& expression, const pt2::SymbolicText::NumberOf& number_of = no_number) {
  const auto describe = [&](const pt2::Describer& to, pt2::ColouredGraph::Vertex part) {
    return to.text(pt2::SymbolicText(expression), part);
  };
  return Described(describe, number_of);
}

Described described_guard(const std::string& guard) {
  return Described(
      [&](const pt2::Describer& to, pt2::ColouredGraph::Vertex part) { return to.guard_text(guard, part); });
}

Described described_graph(const Graph& graph) {
  return Described(
      [&](const pt2::Describer& to, pt2::ColouredGraph::Vertex part) { return to.text(graph, part); });
}

}  // namespace

TEST_CASE("expressions that differ only in the names of their symbols have one description") {
  const auto sum = [](const std::string& a, const std::string& b) {
    return described("Add(" + srepr_symbol(a) + ", Mul(Integer(2), " + srepr_symbol(b) + "))");
  };
  CHECK(sum("s0", "s1").text == sum("u7", "s3").text);
  CHECK(sum("s0", "s1").symbols == Texts{"s0", "s1"});
  CHECK(sum("u7", "s3").symbols == Texts{"u7", "s3"});
}

TEST_CASE("the calls of an expression tell its symbols apart") {
  const std::string a = srepr_symbol("s0");
  const std::string twice_b = "Mul(Integer(2), " + srepr_symbol("s1") + ")";
  CHECK(described("Add(" + a + ", " + twice_b + ")").order ==
        described("Add(" + twice_b + ", " + a + ")").order);
  CHECK(described("Add(" + twice_b + ", " + a + ")").symbols == Texts{"s1", "s0"});
  CHECK(described("Mod(" + a + ", " + srepr_symbol("s1") + ")").order !=
        described("Mod(" + srepr_symbol("s1") + ", " + a + ")").order);
}

TEST_CASE("expressions of another structure have another description") {
  const std::string s = srepr_symbol("s0");
  CHECK(described("Add(" + s + ", Integer(1))").text != described("Add(" + s + ", Integer(2))").text);
  CHECK(described("Add(" + s + ", Integer(1))").text != described("Mul(" + s + ", Integer(1))").text);
  CHECK(described(s).text != described("Integer(1)").text);
}

TEST_CASE("a symbol with a number is part of the text, and no edge leads to it") {
  const auto numbered = [&](std::size_t number) {
    return described(
        "Add(" + srepr_symbol("s0") + ", " + srepr_symbol("s1") + ")",
        [=](std::string_view symbol) { return symbol == "s0" ? std::optional(number) : std::nullopt; });
  };
  CHECK(numbered(4).symbols == Texts{"s1"});
  CHECK(numbered(4).text != numbered(5).text);
}

TEST_CASE("plain text names each symbol once, with all of its positions") {
  const Described guard = described_guard("s0 + x * s1 < s0");
  CHECK(guard.symbols == Texts{"s0", "s1"});
  CHECK(guard.text == described_guard("u5 + x * s9 < u5").text);
  CHECK(guard.text != described_guard("s0 + y * s1 < s0").text);
  CHECK(guard.order != described_guard("s1 + x * s0 < s1").order);
}

TEST_CASE("subgraphs that differ only in names have one description") {
  const auto scaled = [](const std::string& x, const std::string& y, const std::string& size) {
    Graph graph = graph_of({x}, {call(kRelu, {tensor(x)}, {y})}, {y});
    graph.tensor_values[x].sizes = {symbolic(srepr_symbol(size))};
    return described_graph(graph);
  };
  CHECK(scaled("x", "y", "s0").text == scaled("y", "x", "s1").text);
  CHECK(scaled("x", "y", "s0").symbols == Texts{"s0"});
  CHECK(scaled("y", "x", "s1").symbols == Texts{"s1"});
  CHECK(scaled("x", "y", "s0").text != described_graph(graph_of({"x"}, {}, {"x"})).text);
}

TEST_CASE("symbols are recognized by their letters") {
  for (const char* const name : {"s0", "s77", "u12", "zf3", "zuf1"}) CHECK(pt2::looks_like_symbol(name));
  for (const char* const name : {"", "s", "x0", "s0a", "zf", "max"})
    CHECK_FALSE(pt2::looks_like_symbol(name));
  CHECK(pt2::symbol_letters("u12") == "u");
  CHECK(pt2::symbol_letters("zf3") == "zf");
  CHECK(pt2::symbol_letters("zuf1") == "zuf");
  CHECK(pt2::symbol_letters("batch") == "s");
}
