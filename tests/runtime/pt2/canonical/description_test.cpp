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

pt2::Description described(const std::string& expression) {
  return description_of(pt2::SymbolicText(expression), no_number);
}

Texts symbols_in(const pt2::Description& description) {
  Texts symbols;
  for (const pt2::Description::Mention& mention : description.mentions) symbols.push_back(mention.symbol);
  return symbols;
}

}  // namespace

TEST_CASE("expressions that differ only in the names of their symbols have one description") {
  const auto sum = [](const std::string& a, const std::string& b) {
    return described("Add(" + srepr_symbol(a) + ", Mul(Integer(2), " + srepr_symbol(b) + "))");
  };
  const pt2::Description first = sum("s0", "s1");
  const pt2::Description second = sum("u7", "s3");
  CHECK(first.text == second.text);
  REQUIRE(first.calls.size() == second.calls.size());
  for (std::size_t i = 0; i < first.calls.size(); ++i) {
    CHECK(first.calls[i].text == second.calls[i].text);
    CHECK(first.calls[i].owner == second.calls[i].owner);
    CHECK(first.calls[i].role == second.calls[i].role);
  }
  CHECK(symbols_in(first) == Texts{"s0", "s1"});
  CHECK(symbols_in(second) == Texts{"u7", "s3"});
}

TEST_CASE("expressions of another structure have another description") {
  const std::string s = srepr_symbol("s0");
  CHECK(described("Add(" + s + ", Integer(1))").text != described("Add(" + s + ", Integer(2))").text);
  CHECK(described("Add(" + s + ", Integer(1))").text != described("Mul(" + s + ", Integer(1))").text);
  CHECK(described(s).text != described("Integer(1)").text);
}

TEST_CASE("a symbol with a number is part of the text, and no mention") {
  const pt2::SymbolicText expression("Add(" + srepr_symbol("s0") + ", " + srepr_symbol("s1") + ")");
  const auto numbered = [&](std::size_t number) {
    return description_of(expression, [&](std::string_view symbol) {
      return symbol == "s0" ? std::optional(number) : std::nullopt;
    });
  };
  CHECK(symbols_in(numbered(4)) == Texts{"s1"});
  CHECK(numbered(4).text != numbered(5).text);
}

TEST_CASE("plain text names each symbol once, with all of its positions") {
  const auto is_symbol = [](std::string_view word) { return pt2::looks_like_symbol(word); };
  const pt2::Description guard = pt2::description_of("s0 + x * s1 < s0", no_number, is_symbol);
  REQUIRE(symbols_in(guard) == Texts{"s0", "s1"});
  CHECK(guard.mentions[0].role == pt2::ordered(0) + pt2::ordered(2));
  CHECK(guard.mentions[1].role == pt2::ordered(1));
  CHECK(guard.text == pt2::description_of("u5 + x * s9 < u5", no_number, is_symbol).text);
  CHECK(guard.text != pt2::description_of("s0 + y * s1 < s0", no_number, is_symbol).text);
}

TEST_CASE("subgraphs that differ only in names have one description") {
  const auto scaled = [](const std::string& x, const std::string& y, const std::string& size) {
    Graph graph = graph_of({x}, {call(kRelu, {tensor(x)}, {y})}, {y});
    graph.tensor_values[x].sizes = {symbolic(srepr_symbol(size))};
    return description_of(graph, no_number);
  };
  const pt2::Description first = scaled("x", "y", "s0");
  const pt2::Description second = scaled("y", "x", "s1");
  CHECK(first.text == second.text);
  CHECK(symbols_in(first) == Texts{"s0"});
  CHECK(symbols_in(second) == Texts{"s1"});
  CHECK(first.text != description_of(graph_of({"x"}, {}, {"x"}), no_number).text);
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
