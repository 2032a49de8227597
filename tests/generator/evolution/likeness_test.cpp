#include "evolution/likeness.h"

#include <catch2/catch.hpp>
#include <string>
#include <utility>

#include "generator/evolution/releases.h"

using generator::Bump;
using generator::compared;
using generator::Comparison;
using generator::Policy;

TEST_CASE("types that differ only in which name has which id are not the same") {
  const Comparison comparison = compared(
      schema(0, kStruct + "      p: {id: 10, type: B}\n" +
                    "  B:\n    kind: struct\n    fields:\n      x: {id: 10, type: int}\n      y: {id: "
                    "20, type: int}\n"),
      schema(1, kStruct + "      p: {id: 10, type: C}\n" +
                    "  C:\n    kind: struct\n    fields:\n      y: {id: 10, type: int}\n      x: {id: "
                    "20, type: int}\n"),
      {}, Policy::full);
  CHECK(comparison.required == Bump::major);
  CHECK(found(comparison).count("FIELD_ID_REUSED") == 1);
}

TEST_CASE("files are not unchanged where fields or enum members of one type swap their ids") {
  const std::string color = "  C:\n    kind: enum\n    fields: ";
  const std::string fields = "      c: {id: 30, type: C}\n";
  const std::string held = "  B:\n    kind: struct\n    fields:\n      a: {id: 10, type: A}\n";
  const auto roots = [&](const std::string& x, const std::string& members) {
    const Comparison comparison = compared(
        schema(0, kStruct + kX + "      z: {id: 20, type: int}\n" + fields + held + color + "{R: 0, G: 1}\n"),
        schema(0, kStruct + x + fields + held + color + members + "\n"), {}, Policy::full);
    REQUIRE(comparison.roots.size() == 1);
    CHECK(comparison.roots[0].root == "B");
    return std::pair(comparison.roots[0].json, comparison.roots[0].binary);
  };
  CHECK(roots(kX + "      z: {id: 20, type: int}\n", "{R: 0, G: 1}") == std::pair(true, true));
  CHECK(roots("      x: {id: 20, type: int}\n      z: {id: 10, type: int}\n", "{R: 0, G: 1}") ==
        std::pair(true, false));
  CHECK(roots(kX + "      z: {id: 20, type: int}\n", "{R: 1, G: 0}") == std::pair(false, false));
}
