#include "evolution/example.h"

#include <catch2/catch.hpp>
#include <string>

#include "evolution/compat_report.h"
#include "generator/evolution/releases.h"

using generator::Model;
using generator::SmallValues;
using generator::Type;

namespace {

Model fields(const std::string& lines) {
  return schema(0, kStruct + lines + "  E: {kind: enum, fields: {X: 3, Y: 4}}\n" +
                       "  N: {kind: enum, json: name, fields: {X: 3, Y: 4}}\n" +
                       "  U:\n    kind: union\n    fields:\n      u: {id: 10, type: str}\n")
      .model;
}

const Type& type_of(const Model& model) {
  return model.types[0].fields[0].type;
}

std::string small(const std::string& type) {
  const Model model = fields("      x: {id: 10, type: \"" + type + "\"}\n");
  return SmallValues(model).of(type_of(model));
}

std::string not_empty(const std::string& type) {
  const Model model = fields("      x: {id: 10, type: \"" + type + "\"}\n");
  return SmallValues(model).not_empty(type_of(model));
}

}  // namespace

TEST_CASE("the smallest value of a type is empty, or its first member") {
  CHECK(small("int") == "0");
  CHECK(small("str") == "\"\"");
  CHECK(small("List[int]") == "[]");
  CHECK(small("Dict[str, int]") == "{}");
  CHECK(small("Optional[str]") == "null");
  CHECK(small("bool") == "false");
  CHECK(small("E") == "3");
  CHECK(small("N") == "\"X\"");
  CHECK(small("U") == "{\"u\": \"\"}");
}

TEST_CASE("a value that is not empty has one item, which is the smallest") {
  CHECK(not_empty("int") == "1");
  CHECK(not_empty("Optional[int]") == "1");
  CHECK(not_empty("List[Dict[str, int]]") == "[{}]");
  CHECK(not_empty("Dict[str, int]") == "{\"\": 0}");
}

TEST_CASE("a struct leaves out what has a default, unless it is asked for") {
  const Model model = fields("      x: {id: 10, type: int}\n" + kY);
  const SmallValues values(model);
  CHECK(values.of_type(0) == "{\"x\": 0}");
  const generator::Definition& type = model.types[0];
  CHECK(values.with(type, type.fields[1], "\"b\"") == "{\"x\": 0, \"y\": \"b\"}");
  CHECK(values.without(type, type.fields[0]) == "{}");
}

TEST_CASE("a type that holds itself has a value where its own is optional") {
  const Model model =
      schema(0, kStruct + "      next: {id: 10, type: \"Optional[A]\", default: null, boxed: true}\n").model;
  CHECK(SmallValues(model).of_type(0) == "{}");
}

TEST_CASE("values of types that hold others twice or in a long chain are cut, and take little time") {
  std::string types = "      a: {id: 1, type: T0}\n";
  constexpr int kCount = 500;
  for (int i = 0; i <= kCount; ++i) {
    const std::string inner = i == kCount ? "int" : "T" + std::to_string(i + 1);
    types += "  T" + std::to_string(i) + ":\n    kind: struct\n    fields:\n      a: {id: 1, type: " + inner +
             "}\n      b: {id: 2, type: " + inner + "}\n";
  }
  const Model model = schema(0, kStruct + types).model;
  CHECK(SmallValues(model).of_type(0).size() > generator::kLongestExample);
}

TEST_CASE("a type of the other schema has no value") {
  const Model model = schema(0, kStruct + "      a: {id: 1, type: int}\n").model;
  const Model other = schema(0, kStruct + "      a: {id: 1, type: int}\n").model;
  const SmallValues values(model);
  CHECK(values.without(model.types[0], model.types[0].fields[0]) == "{}");
  CHECK(values.without(other.types[0], other.types[0].fields[0]).size() > generator::kLongestExample);
}
