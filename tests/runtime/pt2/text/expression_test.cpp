#include "pt2/text/expression.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "schemagen/base/error.h"

using pt2::parse_expression;

namespace {

std::string srepr_of(const std::string& text) {
  return pt2::srepr(parse_expression(text));
}

std::string error_of(const std::string& text) {
  try {
    parse_expression(text);
  } catch (const schemagen::DataError& error) {
    return error.what();
  }
  return {};
}

std::string repeated(const std::string& text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

}  // namespace

TEST_CASE("an srepr is read and written with the same bytes") {
  for (const char* text : {
           "Add(Mul(Integer(2), Symbol('s77', positive=True, integer=True)), Integer(1))",
           "Mul(Float('1.5', precision=53), ToFloat(Symbol('u0', integer=True)))",
           "Pow(Symbol('s0'), Rational(-1, 2))",
           "Max(Integer(-3), oo, -int_oo, nan)",
           "Piecewise(ExprCondPair(Integer(1), StrictGreaterThan(Symbol('a'), Integer(2))), "
           "ExprCondPair(Integer(2), true))",
           "Something()",
           "Something(Integer(1), evaluate=False, n=-3, s='x')",
           "Symbol('it\\'s \\\\ odd')",
       }) {
    CHECK(srepr_of(text) == text);
  }
}

TEST_CASE("plain text gives the tree of an srepr") {
  CHECK(srepr_of("s0") == "Symbol('s0')");
  CHECK(srepr_of("2*s0 + 1") == "Add(Mul(Integer(2), Symbol('s0')), Integer(1))");
  CHECK(srepr_of("a - 3*b - c") ==
        "Add(Symbol('a'), Mul(Integer(-3), Symbol('b')), Mul(Integer(-1), Symbol('c')))");
  CHECK(srepr_of("-u0 <= -2") == "LessThan(Mul(Integer(-1), Symbol('u0')), Integer(-2))");
  CHECK(srepr_of("a/2") == "Mul(Symbol('a'), Pow(Integer(2), Integer(-1)))");
  CHECK(srepr_of("1.5e-3*a") == "Mul(Float('1.5e-3'), Symbol('a'))");
  CHECK(srepr_of("((2*a)//4)") == "FloorDiv(Mul(Integer(2), Symbol('a')), Integer(4))");
  CHECK(srepr_of("Max(1, Mod(a, 2))") == "Max(Integer(1), Mod(Symbol('a'), Integer(2)))");
  CHECK(srepr_of("Eq(a, 1)") == "Equality(Symbol('a'), Integer(1))");
  CHECK(srepr_of("-int_oo") == "-int_oo");
  CHECK(srepr_of("Piecewise((1, a > 2), (2, True))") ==
        "Piecewise(Tuple(Integer(1), StrictGreaterThan(Symbol('a'), Integer(2))), Tuple(Integer(2), True))");
}

TEST_CASE("operators have Python's precedence") {
  CHECK(srepr_of("a + b*c") == srepr_of("a + (b*c)"));
  CHECK(srepr_of("-a**2") == srepr_of("-(a**2)"));
  CHECK(srepr_of("a**-b**2") == srepr_of("a**(-(b**2))"));
  CHECK(srepr_of("a//b//c") == srepr_of("(a//b)//c"));
  CHECK(srepr_of("a % b*c") == srepr_of("(a % b)*c"));
  CHECK(srepr_of("a & b == c") == srepr_of("(a & b) == c"));
  CHECK(srepr_of("a | b ^ c & d << 1 + 2") == srepr_of("a | (b ^ (c & (d << (1 + 2))))"));
  CHECK(srepr_of("not a == b and c or d") == srepr_of("((not (a == b)) and c) or d"));
  CHECK(srepr_of("a if b else c if d else e") == srepr_of("a if b else (c if d else e)"));
  CHECK(srepr_of("~a") == "Not(Symbol('a'))");
}

TEST_CASE("each form may contain the other, as in sympify") {
  CHECK(srepr_of("2*Symbol('s0', integer=True) + Integer(1)") ==
        "Add(Mul(Integer(2), Symbol('s0', integer=True)), Integer(1))");
}

TEST_CASE("an input access in a guard is one symbol") {
  CHECK(parse_expression("L['x'].size()[0]").symbol() == "L['x'].size()[0]");
  CHECK(srepr_of("L['x'].f(a, (b))[']'] % 2 == 0") ==
        "Equality(PythonMod(Symbol('L[\\'x\\'].f(a, (b))[\\']\\']'), Integer(2)), Integer(0))");
  CHECK(srepr_of("math.floor(a)") == "math.floor(Symbol('a'))");
}

TEST_CASE("symbols are visited from left to right") {
  std::vector<std::string> symbols;
  pt2::for_each_symbol(parse_expression("b*a + Max(c, oo, b)"),
                       [&](std::string_view symbol) { symbols.emplace_back(symbol); });
  CHECK(symbols == std::vector<std::string>{"b", "a", "c", "b"});
}

TEST_CASE("malformed expressions are errors with the byte") {
  CHECK(error_of("") == "expected an expression, got the end (byte 0)");
  CHECK(error_of("2*") == "expected an expression, got the end (byte 2)");
  CHECK(error_of("a b") == "expected an operator or the end, got 'b' (byte 2)");
  CHECK(error_of("Max(a, b") == "expected ',', got the end (byte 8)");
  CHECK(error_of("(a, b]") == "expected ')', got ']' (byte 5)");
  CHECK(error_of("a < b < c") == "expected the end of the relation, got '<' (byte 6)");
  CHECK(error_of("a if b") == "expected 'else', got the end (byte 6)");
  CHECK(error_of("a + not b") == "expected an expression, got 'not' (byte 4)");
  CHECK(error_of("Max(a, 'b')") == "expected an expression, got '\\'b\\'' (byte 7)");
  CHECK(error_of("Max(a \x1b") == "expected ',', got '\\x1b' (byte 6)");
  CHECK(error_of("1x") == "expected a number, got '1x' (byte 0)");
  CHECK(error_of("L['x'") == "expected a closing bracket, got the end (byte 5)");
  CHECK(error_of("L['x')") == "expected a closing bracket, got ')' (byte 5)");
  CHECK(error_of("L.5") == "expected a name, got '5' (byte 2)");
  CHECK(error_of("Symbol('s0") == "the string has no closing quote (byte 7)");
  CHECK(error_of("Symbol(s0)") == "expected a literal, got 's0' (byte 7)");
  CHECK(error_of("Symbol()") == "'Symbol': expected one string (byte 6)");
  CHECK(error_of("Symbol('a', 'b')") == "'Symbol': expected one string (byte 6)");
  CHECK(error_of("Integer(1, 2)") == "'Integer': expected one integer (byte 7)");
  CHECK(error_of("Integer(True)") == "'Integer': expected one integer (byte 7)");
  CHECK(error_of("Rational(1)") == "'Rational': expected two integers (byte 8)");
  CHECK(error_of("Float(precision=53)") == "'Float': expected one string (byte 5)");
}

TEST_CASE("depth and length are limited, width is not") {
  CHECK(error_of(repeated("(", 190) + "a" + repeated(")", 190)).empty());
  CHECK(error_of(repeated("(", 300)) == "nested more than 200 levels deep (byte 201)");
  CHECK(error_of(repeated("Max(", 300)) == "nested more than 200 levels deep (byte 804)");
  CHECK(error_of(repeated("-", 300) + "a") == "nested more than 200 levels deep (byte 201)");
  CHECK(error_of("a" + repeated("**a", 300)) == "nested more than 200 levels deep (byte 603)");
  CHECK(error_of("a" + repeated("//a", 2000)) == "the expression has more than 1000 operators (byte 3001)");
  CHECK(error_of("a" + repeated(" + a", 10000)).empty());
  CHECK(error_of(std::string(70000, '(')) == "expected an expression of at most 65536 bytes, got 70000");
}
