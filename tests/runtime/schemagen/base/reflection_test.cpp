#include "schemagen/base/reflection.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "everything/reflection.h"
#include "pt2/reflection.h"
#include "pt2/schema_info.h"
#include "pt2/types.h"

using schemagen::ReflectedField;
using schemagen::ReflectedType;
using schemagen::Reflection;

namespace {

const ReflectedType& type_called(const Reflection& schema, std::string_view name) {
  const std::uint32_t index = schema.find(name);
  REQUIRE(index < schema.type_count);
  return schema.types[index];
}

const ReflectedField& field_called(const ReflectedType& type, std::string_view name) {
  for (std::uint32_t i = 0; i < type.field_count; ++i) {
    if (type.fields[i].name == name) return type.fields[i];
  }
  FAIL("no such field");
  return type.fields[0];
}

}  // namespace

static_assert(pt2::kReflection.major == pt2::kSchemaMajor && pt2::kReflection.minor == pt2::kSchemaMinor);
static_assert(pt2::kReflection.types[pt2::kReflection.find("Node")].kind == ReflectedType::structure);

TEST_CASE("reflection knows the fields of a struct as the schema has them") {
  const ReflectedType& node = type_called(pt2::kReflection, "Node");
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < 6; ++i) names.emplace_back(node.fields[i].name);
  CHECK(names == std::vector<std::string>{"target", "inputs", "outputs", "metadata",
                                          "is_hop_single_tensor_return", "name"});
  CHECK(field_called(node, "metadata").id == 40);
}

TEST_CASE("reflection leads from a field to the type at the end of its containers") {
  const Reflection& schema = pt2::kReflection;
  const ReflectedType& list = schema.types[field_called(type_called(schema, "Graph"), "nodes").type];
  CHECK(list.kind == ReflectedType::list);
  CHECK(list.name == "List[Node]");
  CHECK(list.element == schema.find("Node"));
  const ReflectedType& optional =
      schema.types[field_called(type_called(schema, "Node"), "is_hop_single_tensor_return").type];
  CHECK(optional.kind == ReflectedType::optional);
  CHECK(schema.types[optional.element].kind == ReflectedType::boolean);
}

TEST_CASE("reflection has every type once") {
  for (const Reflection* schema : {&pt2::kReflection, &everything::kReflection}) {
    for (std::uint32_t i = 0; i < schema->type_count; ++i) {
      CAPTURE(schema->types[i].name);
      CHECK(schema->find(schema->types[i].name) == i);
    }
  }
  CHECK(everything::kReflection.find("Nothing of the kind") == everything::kReflection.type_count);
}

TEST_CASE("reflection knows the values of an enum with their numbers") {
  const std::uint32_t index = pt2::kReflection.find("ScalarType");
  const ReflectedType& dtypes = pt2::kReflection.types[index];
  CHECK(dtypes.kind == ReflectedType::enumeration);
  CHECK(field_called(dtypes, "FLOAT").id == static_cast<std::int32_t>(pt2::ScalarType::FLOAT));
  CHECK(field_called(dtypes, "UINT64").id == static_cast<std::int32_t>(pt2::ScalarType::UINT64));
  CHECK(field_called(dtypes, "UINT64").type == index);
}
