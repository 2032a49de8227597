#include "pt2/strings/expression_value.h"

#include <catch2/catch.hpp>

#include "schemagen/base/error.h"

namespace {

const pt2::Bindings& bindings() {
  static const pt2::Bindings bound = [] {
    pt2::Bindings made;
    *made.try_emplace("a").first = 7;
    *made.try_emplace("b").first = -3;
    *made.try_emplace("L['x'].size()[0]").first = 8;
    return made;
  }();
  return bound;
}

std::string value_of(const std::string& text) {
  return evaluate(pt2::parse_expression(text), bindings()).text();
}

std::string error_of(const std::string& text) {
  try {
    return value_of(text);
  } catch (const schemagen::DataError& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("integers and fractions are exact") {
  CHECK(value_of("2*a + b") == "11");
  CHECK(value_of("a/2 - b/6") == "4");
  CHECK(value_of("a/2 + 1/3") == "23/6");
  CHECK(value_of("a**2*b**-1") == "-49/3");
  CHECK(value_of("4611686018427387904 + (4611686018427387904 - a) + (a - 1)") == "9223372036854775807");
  CHECK(value_of("sqrt(a*a)") == "7");
  CHECK(value_of("(4/9)**(3/2)") == "8/27");
}

TEST_CASE("division and modulo round toward minus infinity") {
  CHECK(value_of("b//2") == "-2");
  CHECK(value_of("b % 2") == "1");
  CHECK(value_of("a % b") == "-2");
  CHECK(value_of("floor(b/2)") == "-2");
  CHECK(value_of("ceiling(b/2)") == "-1");
  CHECK(value_of("CeilDiv(a, 2)") == "4");
  CHECK(value_of("ModularIndexing(a, 2, 2)") == "1");
}

TEST_CASE("a real operand makes the result real") {
  CHECK(value_of("a*1.5") == "10.5");
  CHECK(value_of("IntTrueDiv(a, 2)") == "3.5");
  CHECK(value_of("ToFloat(a)") == "7.0");
  CHECK(value_of("OpaqueUnaryFn_sqrt(9)") == "3.0");
  CHECK(value_of("RoundToInt(2.5) + RoundToInt(3.5)") == "6");
  CHECK(value_of("RoundDecimal(2.675, 2)") == "2.67");
  CHECK(value_of("Max(a, oo)") == "inf");
}

TEST_CASE("conditions are bools and select branches") {
  CHECK(value_of("a > b and not a == 1") == "True");
  CHECK(value_of("Eq(a, 7) & (b >= 0)") == "False");
  CHECK(value_of("1 if a < 0 else 2") == "2");
  CHECK(value_of("Piecewise((1, a < 0), (a//0, a < 1), (3, True))") == "3");
  CHECK(value_of("(L['x'].size()[0] % (L['x'].size()[0] // 2)) == 0") == "True");
}

TEST_CASE("errors name the faulty part and the reason") {
  CHECK(error_of("a + c") == "no value for the symbol in 'c'");
  CHECK(error_of("1 + a//(b + 3)") == "division by zero in 'a//(b + 3)'");
  CHECK(error_of("a % 0") == "division by zero in 'a % 0'");
  CHECK(error_of("0**-1") == "division by zero in '1/0'");
  CHECK(error_of("9223372036854775807 + a") == "a value overflows 64 bits in '9223372036854775807 + a'");
  CHECK(error_of("3037000500*3037000500") == "a value overflows 64 bits in '3037000500*3037000500'");
  CHECK(error_of("a**100") == "a value overflows 64 bits in 'a**100'");
  CHECK(error_of("99999999999999999999") == "a value overflows 64 bits in '99999999999999999999'");
  CHECK(error_of("FloorToInt(1e19)") == "a value overflows 64 bits in 'FloorToInt(1e+19)'");
  CHECK(error_of("1 << -1") == "negative shift in '1 << -1'");
  CHECK(error_of("1 << 64") == "a value overflows 64 bits in '1 << 64'");
  CHECK(error_of("sqrt(b)") == "not a real number in 'sqrt(b)'");
  CHECK(error_of("zoo") == "not a real number in 'zoo'");
  CHECK(error_of("Mod(b, 2)") == "Mod of a negative number in 'b % 2'");
  CHECK(error_of("(a > b) + 1") == "expected a number, got a bool in '(a > b) + 1'");
  CHECK(error_of("not a") == "expected a bool, got 7 in 'not a'");
  CHECK(error_of("LShift(1, 1/2)") == "expected an integer, got 1/2 in '1 << 1/2'");
  CHECK(error_of("Magic(a)") == "unknown function 'Magic' in 'Magic(a)'");
  CHECK(error_of(std::string(5000, 'f') + "(a)").size() < 300);
  CHECK(error_of("FloorDiv(a)") == "wrong number of operands in 'FloorDiv(a)'");
  CHECK(error_of("Piecewise((1, a < 0))") == "no condition holds in 'Piecewise((1, a < 0))'");
}
