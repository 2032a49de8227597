#include "schemagen/base/value.h"

#include <catch2/catch.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

using schemagen::Box;

TEST_CASE("a box is never empty: it starts with a default value") {
  const Box<std::string> box;
  CHECK(box->empty());
}

TEST_CASE("a copy of a box is another value") {
  Box<std::string> a(std::string("one"));
  Box<std::string> b(a);
  *b = "two";
  CHECK(*a == "one");
  CHECK(a != b);
  b = a;
  CHECK(a == b);
  CHECK(&*a != &*b);
}

TEST_CASE("a box can be assigned to itself") {
  Box<std::string> a(std::string("one"));
  const Box<std::string>& same = a;
  a = same;
  CHECK(*a == "one");
}

TEST_CASE("moving a box moves no value, and a moved-from box can be assigned to") {
  Box<std::string> a(std::string("one"));
  const std::string* const at = &*a;
  Box<std::string> b(std::move(a));
  CHECK(&*b == at);
  a = Box<std::string>(std::string("again"));
  CHECK(*a == "again");
}

namespace {

struct Chain {
  std::string name;
  std::optional<Box<Chain>> next;  // of an incomplete type
};

}  // namespace

TEST_CASE("a box can be assigned from a box that its value holds") {
  const auto chain = [] {
    Box<Chain> first(Chain{"first", {}});
    first->next.emplace(Chain{std::string(100, 'x'), {}});
    return first;
  };
  Box<Chain> copied = chain();
  copied = *copied->next;
  CHECK(copied->name == std::string(100, 'x'));
  Box<Chain> moved = chain();
  moved = std::move(*moved->next);
  CHECK(moved->name == std::string(100, 'x'));
}

TEST_CASE("boxes are as equal as their values") {
  CHECK(Box<std::string>(std::string("x")) == Box<std::string>(std::string("x")));
  CHECK_FALSE(Box<std::string>(std::string("x")) == Box<std::string>(std::string("y")));
  STATIC_REQUIRE(std::is_nothrow_move_constructible_v<Box<std::string>>);
}

TEST_CASE("a box that was moved from is filled again") {
  Box<std::string> box(std::string("x"));
  CHECK(box.filled() == "x");
  const Box<std::string> taken = std::move(box);
  CHECK(*taken == "x");
  CHECK(box.filled().empty());
  CHECK(*box == "");
}
