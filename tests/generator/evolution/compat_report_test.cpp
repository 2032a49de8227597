#include "evolution/compat_report.h"

#include <catch2/catch.hpp>
#include <string>

#include "generator/evolution/releases.h"

using generator::compared;
using generator::Finding;
using generator::Policy;

namespace {

std::string paste_of(const std::string& rule, const std::string& before, const std::string& after) {
  for (const Finding& finding : compared(schema(0, before), schema(1, after), {}, Policy::full).findings) {
    if (finding.rule->id == rule) return finding.paste;
  }
  return "no finding";
}

}  // namespace

TEST_CASE("what must be reserved is listed once, in order, and in quotes where YAML needs them") {
  generator::Definition type;
  CHECK(generator::reserved_line(type, {30, 10, 30}, {"b", "a"}) ==
        "reserved: {ids: [10, 30], names: [a, b]}");
  CHECK(generator::reserved_line(type, {}, {"null", "1"}) == "reserved: {names: [\"1\", \"null\"]}");
  type.reserved.ids = {20};
  type.reserved.names = {"c"};
  CHECK(generator::reserved_line(type, {10}, {"a"}) == "reserved: {ids: [10, 20], names: [a, c]}");
}

TEST_CASE("an id that is offered is free in both schemas, at their distance") {
  const auto field = [](const std::string& name, int id) {
    return "      " + name + ": {id: " + std::to_string(id) + ", type: int}\n";
  };
  const std::string before = kStruct + field("a", 10) + field("b", 20);
  CHECK(paste_of("FIELD_ID_REUSED", before, kStruct + field("a", 10) + field("c", 20)) == "no finding");
  CHECK(paste_of("FIELD_ID_REUSED", before, kStruct + field("a", 10) + "      c: {id: 20, type: str}\n") ==
        "id: 30");
  CHECK(paste_of("FIELD_ID_REUSED", before,
                 kStruct + field("a", 10) + "      c: {id: 20, type: str}\n" + field("d", 40)) == "id: 50");
}

TEST_CASE("roots are what no other type refers to, unless the schema lists them") {
  const std::string types = kStruct + "      b: {id: 10, type: B}\n  B:\n    kind: struct\n    fields:\n" +
                            kX + "  C:\n    kind: struct\n    fields:\n" + kX;
  CHECK(generator::roots_of(schema(0, types).model) == std::vector<std::size_t>{0, 2});
  const generator::Release listed =
      release("name: s\nversion: {major: 1, minor: 0}\nroots: [B]\ntypes:\n" + types, "s.yaml");
  CHECK(generator::roots_of(listed.model) == std::vector<std::size_t>{1});
}

TEST_CASE("a field that is absent has a value only if it may be absent") {
  const auto model = schema(0, kStruct + kX + kY +
                                   "      z: {id: 30, type: \"Optional[int]\", default: null}\n"
                                   "      l: {id: 40, type: \"List[int]\", default: []}\n")
                         .model;
  const auto& fields = model.types[0].fields;
  CHECK(generator::absent_value(fields[0]).empty());
  CHECK(generator::absent_value(fields[1]) == "\"a\"");
  CHECK(generator::absent_value(fields[2]) == "null");
  CHECK(generator::absent_value(fields[3]) == "[]");
}
