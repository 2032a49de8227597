#include "pt2/text/symbolic_text.h"

#include <catch2/catch.hpp>
#include <map>

using pt2::replace_symbols;
using pt2::SymbolicText;

namespace {

std::string renamed(const std::string& text, const std::map<std::string, std::string>& names) {
  return SymbolicText(text).text([&](std::string_view symbol) {
    const auto found = names.find(std::string(symbol));
    return found == names.end() ? std::string(symbol) : found->second;
  });
}

std::string ordered(const std::string& text, const std::map<std::string, std::size_t>& numbers) {
  SymbolicText expression(text);
  expression.order([&](std::string_view symbol) {
    const auto found = numbers.find(std::string(symbol));
    return found == numbers.end() ? std::nullopt : std::optional(found->second);
  });
  return expression.text([](std::string_view symbol) { return std::string(symbol); });
}

std::vector<std::string> symbols(const std::string& text) {
  std::vector<std::string> found;
  SymbolicText(text).for_each_symbol([&](std::string_view symbol) { found.emplace_back(symbol); });
  return found;
}

}  // namespace

TEST_CASE("only symbols of an srepr are renamed") {
  CHECK(renamed("Add(Mul(Integer(2), Symbol('s77', positive=True, integer=True)), Integer(1))",
                {{"s77", "s0"}}) ==
        "Add(Mul(Integer(2), Symbol('s0', positive=True, integer=True)), Integer(1))");
  CHECK(renamed("Mul(Float('1.5', precision=53), ToFloat(Symbol('a')))", {{"a", "b"}, {"precision", "no"}}) ==
        "Mul(Float('1.5', precision=53), ToFloat(Symbol('b')))");
}

TEST_CASE("only symbols of plain text are renamed, not functions, keywords, strings or constants") {
  CHECK(renamed("2*s0 + Max(s1, s0//s1) == oo", {{"s0", "s5"}, {"s1", "s0"}, {"Max", "no"}, {"oo", "no"}}) ==
        "2*s5 + Max(s0, s5//s0) == oo");
  CHECK(renamed("Integer(4)", {{"Integer", "no"}}) == "Integer(4)");
  CHECK(renamed("Float('1.5', precision=53)", {{"precision", "no"}}) == "Float('1.5', precision=53)");
}

TEST_CASE("text other than an srepr is unchanged") {
  for (const std::string text : {"", "(", "Add(Symbol('s0')", "Add(Symbol('s0'))x", "Symbol('", "Symbol('s0'",
                                 "Add(Symbol('s0'),Integer(1))", "1e5", "'"}) {
    CHECK(renamed(text, {}) == text);
  }
}

TEST_CASE("symbols of a malformed, deep or long srepr are renamed") {
  CHECK(renamed("Add(Symbol('s0'),Symbol('s1'", {{"s0", "s9"}, {"s1", "s8"}}) ==
        "Add(Symbol('s9'),Symbol('s8'");
  std::string deep = "Symbol('s0')";
  std::string deep_renamed = "Symbol('s9')";
  for (int i = 0; i < 1000; ++i) deep.insert(0, "f(");
  for (int i = 0; i < 1000; ++i) deep_renamed.insert(0, "f(");
  CHECK(renamed(deep, {{"s0", "s9"}}) == deep_renamed);
  std::string sum = "Symbol('a')";
  for (int i = 0; i < 1000; ++i) sum = "Add(" + sum + ", Symbol('b'))";
  CHECK(renamed(sum, {}) == sum);
  CHECK(ordered(sum, {{"b", 0}}) == sum);
}

TEST_CASE("operands of commutative functions are ordered by the numbers of symbols") {
  CHECK(ordered("Add(Symbol('a'), Symbol('b'))", {{"a", 10}, {"b", 9}}) == "Add(Symbol('b'), Symbol('a'))");
  CHECK(ordered("Add(Symbol('a'), Symbol('b'))", {{"b", 3}}) == "Add(Symbol('b'), Symbol('a'))");
  CHECK(ordered("Add(Symbol('b'), Symbol('a'))", {}) == "Add(Symbol('b'), Symbol('a'))");
  CHECK(ordered("Max(Add(Symbol('b'), Integer(1)), Add(Integer(1), Symbol('a')))", {{"a", 0}, {"b", 1}}) ==
        "Max(Add(Integer(1), Symbol('a')), Add(Integer(1), Symbol('b')))");
}

TEST_CASE("operands of other functions keep their order") {
  CHECK(ordered("FloorDiv(Symbol('b'), Symbol('a'))", {{"a", 0}, {"b", 1}}) ==
        "FloorDiv(Symbol('b'), Symbol('a'))");
  for (const std::string head : {"Equality", "Unequality"}) {  // torch requires u0 on the left of Eq(u0, 1)
    const std::string text = head + "(Symbol('u0', integer=True), Integer(1))";
    CHECK(ordered(text, {{"u0", 0}}) == text);
  }
  CHECK(ordered("s1 + s0", {{"s0", 0}, {"s1", 1}}) == "s1 + s0");
}

TEST_CASE("symbols are found in order") {
  CHECK(symbols("Add(Symbol('s9'), Mul(Integer(2), Symbol('s3')))") == std::vector<std::string>{"s9", "s3"});
  CHECK(symbols("Integer(3)").empty());
  CHECK(symbols("2*u1 + s0") == std::vector<std::string>{"u1", "s0"});
}

TEST_CASE("only_symbol() distinguishes a single symbol from an expression") {
  CHECK(SymbolicText("Symbol('s77', positive=True, integer=True)").only_symbol() == "s77");
  CHECK(SymbolicText("s77").only_symbol() == "s77");
  CHECK(SymbolicText("2*s77").only_symbol().empty());
  CHECK(SymbolicText("oo").only_symbol().empty());
  CHECK(SymbolicText("4").only_symbol().empty());
}

TEST_CASE("only symbols of Python code are replaced, not functions, attributes, keywords or strings") {
  const auto renamed = [](std::string_view) { return std::string("NAME"); };
  CHECK(replace_symbols("L['a \\' b'].size()[0] == f(x=y) >= 1e5 and not s0", renamed) ==
        "NAME['a \\' b'].size()[0] == f(x=NAME) >= 1e5 and not NAME");
}
