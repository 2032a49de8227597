#include "evolution/compat_match.h"

#include <catch2/catch.hpp>
#include <string>
#include <utility>

#include "generator/evolution/releases.h"

using generator::Bump;
using generator::compared;
using generator::Comparison;
using generator::Policy;

TEST_CASE("types that are renamed break nothing if they look the same in files") {
  const std::string before =
      "  Root:\n    kind: struct\n    fields:\n      a: {id: 10, type: \"List[Node]\"}\n"
      "  Node:\n    kind: struct\n    fields:\n      next: {id: 10, type: \"Optional[Node]\", default: null, "
      "boxed: true}\n      c: {id: 20, type: Color}\n"
      "  Color: {kind: enum, fields: {Red: 0}}\n";
  std::string after = before;
  for (const auto& [from, to] :
       {std::pair<std::string, std::string>("Node", "Vertex"), {"Color", "Colour"}}) {
    for (std::size_t at = after.find(from); at != std::string::npos; at = after.find(from, at)) {
      after.replace(at, from.size(), to);
    }
  }
  const Comparison comparison = compared(schema(0, before), schema(0, after), {}, Policy::full);
  CHECK(found(comparison) == std::set<std::string>{"TYPE_RENAMED"});
  CHECK(comparison.required == Bump::none);
  CHECK(comparison.version_suffices);
  CHECK(comparison.hash_before != comparison.hash_after);
  REQUIRE(comparison.roots.size() == 1);
  CHECK(comparison.roots[0].json);
  CHECK(comparison.roots[0].binary);
  // PyTorch's checker compares the spelling of types.
  CHECK(compared(schema(0, before), schema(0, after), {}, Policy::pytorch).required == Bump::error);
}

TEST_CASE("types that are renamed are found by all that they hold, in time for 20,000 of them") {
  const auto chain = [](const std::string& name, std::size_t length) {
    std::string types;
    for (std::size_t i = 0; i < length; ++i) {
      const std::string next = i + 1 == length ? "int" : "\"List[" + name + std::to_string(i + 1) + "]\"";
      types +=
          "  " + name + std::to_string(i) + ": {kind: struct, fields: {f: {id: 1, type: " + next + "}}}\n";
    }
    return types;
  };
  const Comparison renamed =
      compared(schema(0, chain("A", 20000)), schema(0, chain("B", 20000)), {}, Policy::full);
  CHECK(found(renamed) == std::set<std::string>{"ROOT_RENAMED", "TYPE_RENAMED", "VERSION_NOT_BUMPED"});
  const Comparison shorter = compared(schema(0, chain("A", 3)), schema(0, chain("B", 2)), {}, Policy::full);
  CHECK(found(shorter).count("ROOT_REMOVED") == 1);
}
