#include "pt2/text/guard.h"

#include <catch2/catch.hpp>

#include "pt2/text/expression_text.h"

TEST_CASE("a guard is split into the terms that have to hold, and the names in them") {
  const pt2::Guard guard = pt2::read_guard(
      "(L['x'].size()[0] // 2) != 1 and (L['y'].size()[1] <= L['x'].size()[0] and n % 2 == 0)");
  REQUIRE(guard.terms.size() == 3);
  CHECK(pt2::expression_text(guard.terms[0]) == "L['x'].size()[0]//2 != 1");
  CHECK(pt2::expression_text(guard.terms[2]) == "n % 2 == 0");
  CHECK(guard.names == std::vector<std::string>{"L['x'].size()[0]", "L['y'].size()[1]", "n"});
  CHECK(guard.error.empty());
}

TEST_CASE("a guard that cannot be read is kept, with the reason") {
  const pt2::Guard guard = pt2::read_guard("L['x'] is not None");
  CHECK(guard.text == "L['x'] is not None");
  CHECK(guard.terms.empty());
  CHECK(guard.names.empty());
  CHECK(guard.error == "expected an operator or the end, found 'is' (byte 7)");
}
