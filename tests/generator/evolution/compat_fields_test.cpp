#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "generator/evolution/releases.h"

using generator::compared;
using generator::Comparison;
using generator::Finding;
using generator::Level;
using generator::Policy;
using generator::Release;

TEST_CASE("a field with a default that is new is a warning, as old readers meet it in every new file") {
  const auto added = [](const std::string& field, Policy policy) {
    const Comparison comparison = compared(
        schema(0, kStruct + kX), schema(1, kStruct + kX + "      f: {id: 90, " + field + "}\n"), {}, policy);
    REQUIRE(comparison.findings.size() == 1);
    return comparison.findings.front();
  };
  const std::string number = "type: int, default: 0";
  CHECK(added(number, Policy::full).level == Level::warning);
  CHECK(added(number, Policy::full).paste == "type: \"Optional[int]\", default: null");
  CHECK(added(number, Policy::backward).level == Level::note);
  CHECK(added(number, Policy::pytorch).level == Level::note);
  const std::string list = "type: \"List[int]\", default: []";
  CHECK(added(list, Policy::full).level == Level::warning);
  CHECK(added(list, Policy::full).paste.empty());
  CHECK(added("type: \"Optional[int]\", default: null", Policy::full).level == Level::note);
}

TEST_CASE("the old name of a renamed field must be reserved, as of a removed field") {
  const std::string renamed = kStruct + "      title: {id: 10, type: int}\n";
  const Comparison free = compared(schema(0, kStruct + kX), schema(1, renamed), {}, Policy::full);
  const auto finding = std::find_if(free.findings.begin(), free.findings.end(), [](const Finding& one) {
    return one.rule->id == "FIELD_REMOVED_NOT_RESERVED";
  });
  REQUIRE(finding != free.findings.end());
  CHECK(finding->message == "name 'x' of 'A' could be used again with a different meaning");
  CHECK(finding->paste == "reserved: {names: [x]}");
  const Comparison reserved = compared(schema(0, kStruct + kX),
                                       schema(1, renamed + "    reserved: {names: [x]}\n"), {}, Policy::full);
  CHECK(found(reserved).count("FIELD_REMOVED_NOT_RESERVED") == 0);
}

TEST_CASE("an id that came back with another meaning inside a major version is found in the releases") {
  // In PyTorch, guards_code got the id 90, which tensor_paths had before.
  const Release first = release(kHead + "8}\ntypes:\n" + kStruct +
                                    "      tensor_paths: {id: 90, type: \"Dict[str, str]\", default: {}}\n"
                                    "      guards_code: {id: 110, type: \"List[str]\", default: []}\n",
                                "1.8.yaml");
  const Release second =
      release(kHead + "13}\ntypes:\n" + kStruct + "      x: {id: 10, type: int, default: 0}\n", "1.13.yaml");
  const Release after = release(kHead + "14}\ntypes:\n" + kStruct +
                                    "      x: {id: 10, type: int, default: 0}\n"
                                    "      guards_code: {id: 90, type: \"List[str]\", default: []}\n",
                                "new.yaml");
  CHECK(found(compared(second, after, {}, Policy::full)).count("FIELD_ID_REUSED") == 0);
  const Comparison comparison = compared(second, after, {first}, Policy::full);
  const auto reused = std::find_if(comparison.findings.begin(), comparison.findings.end(),
                                   [](const Finding& one) { return one.rule->id == "FIELD_ID_REUSED"; });
  REQUIRE(reused != comparison.findings.end());
  CHECK(reused->message == "id 90 of 'A.guards_code' belonged to 'tensor_paths' (Dict[str, str]) in 1.8");
  CHECK(reused->before.file == "1.8.yaml");
  CHECK(reused->before.span.line == 7);
  CHECK(reused->paste == "id: 120");
  CHECK(found(comparison) == std::set<std::string>{"FIELD_ADDED_DEFAULTED", "FIELD_ID_CHANGED",
                                                   "FIELD_ID_REUSED", "VERSION_NOT_BUMPED"});
  CHECK(found(compared(second, after, {first}, Policy::pytorch)) ==
        std::set<std::string>{"FIELD_ADDED_DEFAULTED"});
}
