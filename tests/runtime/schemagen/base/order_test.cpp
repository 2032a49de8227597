#include "schemagen/base/order.h"

#include <everything/visit.h>

#include <catch2/catch.hpp>
#include <limits>

#include "runtime/random_value.h"
#include "runtime/show_value.h"
#include "runtime/test_seed.h"

#ifdef SCHEMAGEN_HAS_ORDER

using everything::Choice;
using everything::Containers;
using everything::Scalars;

TEST_CASE("equal values are equivalent, others are ordered") {
  RandomValue random(test_seed());
  for (int i = 0; i < 2000; ++i) {
    const auto a = random.make<Choice>();
    const auto b = random.make<Choice>();
    const auto c = random.make<Choice>();
    CAPTURE(a, b, c);
    REQUIRE(std::is_eq(a <=> b) == (a == b));
    REQUIRE((a < b) == (b > a));
    REQUIRE((a < b || b < a || a == b));
    if (a <= b && b <= c) REQUIRE(a <= c);
  }
}

TEST_CASE("fields decide in the schema's order, none comes first, and lists go item by item") {
  Scalars a;
  Scalars b;
  b.flag = true;
  a.count = 9;
  CHECK(a < b);
  b = a;
  b.maybe = std::numeric_limits<std::int64_t>::min();
  CHECK(a < b);
  CHECK(Choice{} < Choice::of<Choice::nothing>());
  CHECK(Choice::of<Choice::flags>(std::vector<bool>{false, true}) <
        Choice::of<Choice::flags>(std::vector<bool>{true}));
  CHECK(Choice::of<Choice::flags>(std::vector<bool>{true}) <
        Choice::of<Choice::flags>(std::vector<bool>{true, false}));
}

TEST_CASE("maps are equivalent in any order of their entries, and else ordered by their keys") {
  Containers a;
  Containers b;
  a.colors["x"] = everything::Color::RED;
  a.colors["y"] = everything::Color::RED;
  b.colors["y"] = everything::Color::RED;
  b.colors["x"] = everything::Color::RED;
  CHECK(std::is_eq(a <=> b));
  b.colors["a"] = everything::Color::RED;
  CHECK(b < a);
}

TEST_CASE("NaN makes values unordered") {
  Scalars a;
  a.ratio = std::numeric_limits<double>::quiet_NaN();
  CHECK_FALSE((a < a || a > a || std::is_eq(a <=> a)));
}

#endif
