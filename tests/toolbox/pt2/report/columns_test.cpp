#include "pt2/report/columns.h"

#include <catch2/catch.hpp>
#include <limits>

using pt2::grouped;
using pt2::Row;
using pt2::table;

TEST_CASE("digits of numbers are in groups of three") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(1000) == "1,000");
  CHECK(grouped(123456) == "123,456");
  CHECK(grouped(std::numeric_limits<std::uint64_t>::max()) == "18,446,744,073,709,551,615");
}

TEST_CASE("a noun after any other number than 1 is a plural") {
  CHECK(grouped(0, "node") == "0 nodes");
  CHECK(grouped(1, "node") == "1 node");
  CHECK(grouped(1234, "node") == "1,234 nodes");
}

TEST_CASE("cells of a column begin at the same place, and lines do not end in spaces") {
  CHECK(table({}).empty());
  CHECK(table({{"a", "long cell", "x"}, {"longer", "b"}, {}, {"", "c", ""}}) ==
        "  a       long cell  x\n"
        "  longer  b\n"
        "\n"
        "          c\n");
}

TEST_CASE("characters of several bytes take one column") {
  CHECK(table({{"é", "1"}, {"ab", "2"}}) == "  é   1\n  ab  2\n");
}

TEST_CASE("a very long cell does not pad the other rows") {
  const std::string cell(201, 'x');
  CHECK(table({{cell, "1"}, {"ab", "2"}}) == "  " + cell + "  1\n  ab  2\n");
}
