#include "pt2/strings/expression_value.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>

#include "schemagen/base/error.h"

using pt2::Bindings;
using pt2::Polynomial;

namespace {

Polynomial of(const std::string& expression, const Bindings& bindings = {}) {
  pt2::SymExpr value;
  value.expr_str = expression;
  pt2::SymInt size;
  size.emplace<pt2::SymInt::as_expr>(value);
  return {size, bindings};
}

Bindings bound(const std::string& symbol, std::int64_t value) {
  Bindings bindings;
  bindings[symbol] = value;
  return bindings;
}

}  // namespace

TEST_CASE("a polynomial is written with its highest powers first") {
  CHECK(of("8*s0 + 2*s0*s1**2 - 1").text() == "2*s0*s1**2 + 8*s0 - 1");
  CHECK((of("s0") * of("s0") * 3).text() == "3*s0**2");
  CHECK((of("s0") + of("-1*s0")).text() == "0");
  CHECK(of("1 - s0").text() == "-s0 + 1");
  CHECK(Polynomial(7).text() == "7");
}

TEST_CASE("equal polynomials compare equal however they were computed") {
  CHECK((of("s0") + 1) * (of("s0") + 1) == of("s0**2 + 2*s0 + 1"));
  CHECK(of("Mul(Integer(2), Symbol('s0', positive=True, integer=True))") == of("2*s0"));
  CHECK(of("s0") != of("s1"));
}

TEST_CASE("an expression other than a polynomial counts as a symbol") {
  CHECK((of("s0//2") * of("s0//2") + of("s0")).text() == "(s0//2)**2 + s0");
  CHECK(of("(Max(1, s0))").text() == "(Max(1, s0))");
}

TEST_CASE("symbols with values are replaced everywhere") {
  CHECK(of("s0*s1 + s0//2", bound("s0", 8)).text() == "8*s1 + 4");
  CHECK(of("s0*s0", bound("s0", 8)).number() == 64);
  CHECK(of("s0*s1", bound("s0", 8)).number() == std::nullopt);
}

TEST_CASE("the text of a sum is printable for any names") {
  CHECK(of("Symbol('a\x1b[31m')").text() == "a\\x1b[31m");
}

TEST_CASE("a product of too many terms is an error") {
  Polynomial product(1);
  for (int i = 0; i < 8; ++i) product *= of("s" + std::to_string(i) + " + 1");
  CHECK_THROWS_WITH(product *= of("s8 + 1"), "a size or count has more than 256 terms");
}

TEST_CASE("a coefficient that overflows 64 bits is an error") {
  const Polynomial large(INT64_MAX);
  CHECK_THROWS_AS(large * 2, schemagen::DataError);
  CHECK_THROWS_AS(large + 1, schemagen::DataError);
  CHECK_THROWS_AS(Polynomial(INT64_MIN) * -1, schemagen::DataError);
  CHECK((Polynomial(INT64_MIN) * 1).number() == INT64_MIN);
}
