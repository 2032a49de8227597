#include "pt2/strings/expression_value.h"

#include <catch2/catch.hpp>

TEST_CASE("a guard is split into terms and names") {
  const pt2::Guard guard = pt2::read_guard(
      "(L['x'].size()[0] // 2) != 1 and (L['y'].size()[1] <= L['x'].size()[0] and n % 2 == 0)");
  REQUIRE(guard.terms.size() == 3);
  CHECK(pt2::expression_text(guard.terms[0]) == "L['x'].size()[0]//2 != 1");
  CHECK(pt2::expression_text(guard.terms[2]) == "n % 2 == 0");
  CHECK(guard.names == std::vector<std::string>{"L['x'].size()[0]", "L['y'].size()[1]", "n"});
  CHECK(guard.error.empty());
}

TEST_CASE("guard_text() uses torch's spelling") {
  for (const char* text :
       {"(4*x) == (2*(x // 2)*((2*x) // (x // 2)))", "4*(x // 2) >= 2", "x*x == 4",
        "(-1) + x < y and (x % 2) != 1", "y + ((-1)*x) > 0 or max(x, y) <= (y / (1 + x))", "(2 ** x) != 8"}) {
    CHECK(guard_text(pt2::read_guard(text)) == text);
  }
  CHECK(guard_text(pt2::parse_expression("Eq(FloorDiv(s0, 2)**2, 4)")) == "(s0 // 2)*(s0 // 2) == 4");
  std::string power = "x";
  for (int i = 0; i < 100; ++i) power = "Pow(" + power + ", Integer(60))";
  CHECK(guard_text(pt2::parse_expression(power)).size() < 10000);
  CHECK(guard_text(pt2::read_guard("L['x'] is not None")) == "L['x'] is not None");
}

TEST_CASE("a malformed guard is kept with the reason") {
  const pt2::Guard guard = pt2::read_guard("L['x'] is not None");
  CHECK(guard.text == "L['x'] is not None");
  CHECK(guard.terms.empty());
  CHECK(guard.names.empty());
  CHECK(guard.error == "expected an operator or the end, got 'is' (byte 7)");
}
