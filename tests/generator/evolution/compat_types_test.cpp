#include <catch2/catch.hpp>
#include <string>

#include "generator/evolution/releases.h"

using generator::compared;
using generator::Comparison;
using generator::Policy;

TEST_CASE("a default that is the same member of an enum has not changed") {
  const auto types = [&](const std::string& members) {
    return kStruct + "      x: {id: 10, type: E, default: X}\n  E: {kind: enum, fields: {" + members + "}}\n";
  };
  const Comparison renumbered =
      compared(schema(0, types("X: 0, Y: 1")), schema(1, types("X: 1, Y: 0")), {}, Policy::full);
  CHECK(found(renumbered) == std::set<std::string>{"ENUM_VALUE_RENUMBERED", "VERSION_NOT_BUMPED"});
}

TEST_CASE("old readers refuse a new member of a union, and read a new number of an enum") {
  const Comparison unions = compared(
      schema(0, kUnion + kX), schema(1, kUnion + kX + "      y: {id: 20, type: str}\n"), {}, Policy::full);
  CHECK(found(unions) == std::set<std::string>{"UNION_MEMBER_ADDED"});
  CHECK(verdicts_of(unions) == "ydyd");
  const auto enums = [](const std::string& json, const std::string& more) {
    return "  A: {kind: enum, " + json + "fields: {X: 0" + more + "}}\n";
  };
  CHECK(verdicts_of(compared(schema(0, enums("", "")), schema(1, enums("", ", Y: 1")), {}, Policy::full)) ==
        "yyyy");
  CHECK(verdicts_of(compared(schema(0, enums("json: name, ", "")), schema(1, enums("json: name, ", ", Y: 1")),
                             {}, Policy::full)) == "ydyy");
}

TEST_CASE("a struct that becomes a union is another kind, whose files nobody else reads") {
  const Comparison comparison = compared(schema(0, kStruct + kX), schema(1, kUnion + kX), {}, Policy::full);
  CHECK(found(comparison) == std::set<std::string>{"KIND_CHANGED", "VERSION_NOT_BUMPED"});
  CHECK(comparison.required == generator::Bump::major);
}

TEST_CASE("a number of an enum that is used again with another name is an error in one major version") {
  const auto types = [](const std::string& members) {
    return "  A: {kind: enum, fields: {" + members + "}}\n";
  };
  const Comparison comparison = compared(schema(1, types("X: 0")), schema(2, types("X: 0, Z: 1")),
                                         {schema(0, types("X: 0, Y: 1"))}, Policy::full);
  CHECK(found(comparison).count("ENUM_NUMBER_REUSED") == 1);
}
