#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>
#include <string>

#include "pt2/infer/infer.h"
#include "schemagen/base/error.h"

using pt2::Size;

namespace {

const Size kS0 = Size::symbol("s0");
const Size kS1 = Size::symbol("s1");

pt2::Bindings hints() {
  pt2::Bindings made;
  made.insert("s0", 5);
  made.insert("s1", 7);
  return made;
}

}  // namespace

TEST_CASE("expressions are equal if their expanded sums are") {
  CHECK(kS0 + 3 - Size(3) == kS0);
  CHECK((kS0 + Size(1)) * (kS0 - Size(1)) == kS0 * kS0 - Size(1));
  CHECK(kS0 - kS0 == Size(0));
  CHECK((kS0 - kS0).is(0));
  CHECK(kS0 != kS1);
  CHECK(kS0 * kS1 == kS1 * kS0);
}

TEST_CASE("a size is written as sympy's srepr") {
  // From sympy 1.14: srepr(2*s0 + 1), srepr(s0**2).
  CHECK(Size(7).srepr() == "Integer(7)");
  CHECK((kS0 * Size(2) + Size(1)).srepr() ==
        "Add(Integer(1), Mul(Integer(2), Symbol('s0', positive=True, integer=True)))");
  CHECK((kS0 * kS0).srepr() == "Pow(Symbol('s0', positive=True, integer=True), Integer(2))");
}

TEST_CASE("a size that is written and read is the same, with a hint if all symbols have one") {
  for (const Size& size : {Size(-3), kS0, kS0 * kS1 * Size(4) - Size(1), floor_div(kS0, 2)}) {
    CAPTURE(size.srepr());
    CHECK(Size(size.sym_int({})) == size);
  }
  const pt2::SymInt value = (kS0 * Size(2)).sym_int(hints());
  CHECK(value.get<pt2::SymInt::as_expr>().hint.value().get<pt2::SymExprHint::as_int>() == 10);
  CHECK_FALSE(Size::symbol("u0").sym_int(hints()).get<pt2::SymInt::as_expr>().hint);
}

TEST_CASE("a division rounds down and is done as far as the terms allow") {
  CHECK(floor_div(Size(-7), 2) == Size(-4));
  CHECK(floor_div(Size(7), -2) == Size(-4));
  CHECK(floor_div(kS0 * Size(4) + Size(7), 2) == kS0 * Size(2) + Size(3));
  CHECK(floor_div(kS0 * kS1, kS0) == kS1);
  CHECK(floor_div(kS0, 2).hint(hints()) == 2);
  CHECK(floor_div(kS0 * Size(-1), 2).hint(hints()) == -3);
  CHECK_THROWS_AS(floor_div(kS0, 0), schemagen::DataError);
}

TEST_CASE("a quotient is exact or there is none") {
  CHECK(quotient(kS0 * Size(6), kS0 * Size(3)) == Size(2));
  CHECK(quotient(Size(6), 4) == std::nullopt);
  CHECK(quotient(kS0, kS1) == std::nullopt);
  CHECK(quotient(kS0 * kS1 + kS0, kS0) == kS1 + Size(1));
  CHECK(quotient(Size(1), 0) == std::nullopt);
}

TEST_CASE("a hint needs the values of all symbols") {
  CHECK((kS0 * kS1 + Size(1)).hint(hints()) == 36);
  CHECK((kS0 + Size::symbol("u0")).hint(hints()) == std::nullopt);
  CHECK(Size(3).hint({}) == 3);
}

TEST_CASE("a coefficient that overflows is an error") {
  const Size most = std::numeric_limits<std::int64_t>::max();
  CHECK_THROWS_AS(most + Size(1), schemagen::DataError);
  CHECK_THROWS_AS(kS0 * most * Size(2), schemagen::DataError);
}
