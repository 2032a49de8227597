#include <catch2/catch.hpp>
#include <string>
#include <utility>

#include "generator/evolution/releases.h"

using generator::Bump;
using generator::compared;
using generator::Comparison;
using generator::Level;
using generator::Policy;
using generator::Release;

TEST_CASE("pytorch takes the next version only") {
  const std::string types = "}\ntypes:\n" + kStruct + kX;
  const Release before = release("name: s\nversion: {major: 8, minor: 2" + types, "old.yaml");
  for (const auto& [version, is_right] : {std::pair("major: 8, minor: 2", false),
                                          {"major: 8, minor: 3", true},
                                          {"major: 8, minor: 4", false},
                                          {"major: 9, minor: 1", false}}) {
    INFO(version);
    const Release after = release("name: s\nversion: {" + std::string(version) + types + kY, "new.yaml");
    CHECK(compared(before, after, {}, Policy::pytorch).version_suffices == is_right);
  }
}

TEST_CASE("a new major version is enough for all but errors") {
  const std::string types = "}\ntypes:\n" + kStruct;
  const Release before = release("name: s\nversion: {major: 7, minor: 3" + types + kX + kY, "old.yaml");
  for (const auto& [version, suffices] : {std::pair("major: 7, minor: 3", false),
                                          {"major: 7, minor: 9", false},
                                          {"major: 8, minor: 0", true},
                                          {"major: 8, minor: 1", true}}) {
    INFO(version);
    const Release after = release("name: s\nversion: {" + std::string(version) + types + kX, "new.yaml");
    const Comparison comparison = compared(before, after, {}, Policy::full);
    CHECK(comparison.version_suffices == suffices);
    CHECK(spelled(comparison.suggested) == "8.0");
    // Version 8 does not read files of version 7, so an unreserved id does no harm.
    CHECK((comparison.count(Level::error) == 0) == suffices);
  }
}

TEST_CASE("a finding that is allowed does not count, and only beside what it is about") {
  const std::string before = kStruct + kX + kY;
  const std::string allow = ", allow: [{rule: FIELD_ID_CHANGED, reason: no such files}]}\n";
  const Comparison on_field = compared(
      schema(0, before), schema(0, kStruct + "      x: {id: 15, type: int" + allow + kY), {}, Policy::full);
  CHECK(on_field.required == Bump::none);
  CHECK(on_field.count_allowed() == 1);
  CHECK(on_field.findings.front().allowed == "no such files");
  const Comparison elsewhere = compared(
      schema(0, before),
      schema(0, kStruct + "      x: {id: 15, type: int}\n      y: {id: 20, type: str, default: a" + allow),
      {}, Policy::full);
  CHECK(elsewhere.required == Bump::major);
  CHECK(found(elsewhere).count("SUPPRESSION_UNUSED") == 1);
  const Comparison unused = compared(
      schema(0, before), schema(0, kStruct + "      x: {id: 10, type: int" + allow + kY), {}, Policy::full);
  CHECK(found(unused) == std::set<std::string>{"SUPPRESSION_UNUSED"});
  CHECK(unused.count(Level::warning) == 1);
}

TEST_CASE("roots and constants are compared by name") {
  const std::string types = "types:\n" + kStruct + kX + "  B:\n    kind: struct\n    fields:\n" + kX;
  const auto with = [&](const std::string& lines, const std::string& file) {
    return release("name: s\nversion: {major: 1, minor: " + std::string(file == "old.yaml" ? "0" : "1") +
                       "}\n" + lines + types,
                   file);
  };
  const auto rules = [&](const std::string& before, const std::string& after) {
    return found(compared(with(before, "old.yaml"), with(after, "new.yaml"), {}, Policy::full));
  };
  using Rules = std::set<std::string>;
  CHECK(rules("roots: [A]\n", "roots: [A, B]\n") == Rules{"ROOT_ADDED"});
  CHECK(rules("roots: [A, B]\n", "roots: [A]\n").count("ROOT_REMOVED") == 1);
  CHECK(rules("constants: {C: 1}\n", "constants: {C: 1, D: 2}\n") == Rules{"CONSTANT_ADDED"});
  CHECK(rules("constants: {C: 1}\n", "constants: {C: 2}\n").count("CONSTANT_CHANGED") == 1);
  CHECK(rules("constants: {C: 1}\n", "").count("CONSTANT_REMOVED") == 1);
}
