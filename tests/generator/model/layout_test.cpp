#include "model/layout.h"

#include <catch2/catch.hpp>
#include <string>
#include <utility>

using generator::by_value_cycles;
using generator::Cycle;
using generator::Definition;
using generator::DefinitionKind;
using generator::Field;
using generator::Model;
using generator::required_cycles;
using generator::Type;

namespace {

Type named(std::size_t type) {
  return {Type::Kind::named, {}, type};
}
Type list(Type element) {
  return {Type::Kind::list, {std::move(element)}, 0};
}
Type map(Type element) {
  return {Type::Kind::map, {std::move(element)}, 0};
}
Type optional(Type element) {
  return {Type::Kind::optional, {std::move(element)}, 0};
}
Type integer() {
  return {Type::Kind::integer, {}, 0};
}

Field field(Type type) {
  Field result;
  result.type = std::move(type);
  return result;
}

Field boxed(Type type) {
  Field result = field(std::move(type));
  result.boxed = true;
  return result;
}

using Fields = std::vector<Field>;

Definition structure(Fields fields = {}) {
  Definition type;
  type.fields = std::move(fields);
  return type;
}
Definition choice(Fields members) {
  Definition type = structure(std::move(members));
  type.kind = DefinitionKind::union_;
  return type;
}
Definition enumeration() {
  Definition type;
  type.kind = DefinitionKind::enumeration;
  return type;
}

Model model(const std::vector<Definition>& types) {
  Model result;
  for (Definition definition : types) {
    definition.name = std::string(1, static_cast<char>('A' + result.types.size()));
    result.types.push_back(std::move(definition));
  }
  return result;
}

std::string order(const Model& of) {
  std::string out;
  for (const std::size_t type : generator::layout(of)) out += of.types[type].name;
  return out;
}

/// E.g. "ABA AA" for A -> B -> A and A -> A.
std::string paths(const Model& of, const std::vector<Cycle>& cycles) {
  std::string out;
  for (const Cycle& cycle : cycles) {
    if (!out.empty()) out += ' ';
    for (const auto& edge : cycle) out += of.types[edge.from].name;
    out += of.types[cycle.back().to].name;
  }
  return out;
}

std::string by_value(const Model& of) {
  return paths(of, by_value_cycles(of));
}
std::string required(const Model& of) {
  return paths(of, required_cycles(of));
}

}  // namespace

TEST_CASE("types without containment stay in declaration order") {
  CHECK(order(model({structure(), structure(), structure()})) == "ABC");
  CHECK(order(model({})).empty());
}

TEST_CASE("enums come first, in declaration order") {
  CHECK(order(model({structure({field(named(3))}), enumeration(), structure(), enumeration()})) == "BDAC");
}

TEST_CASE("a type comes after all that it holds by value") {
  CHECK(order(model({structure({field(named(3))}), choice({field(named(2))}), structure(), structure()})) ==
        "DACB");
  CHECK(order(model({structure({field(named(2)), field(named(1))}), structure(), structure()})) == "BCA");
  CHECK(order(model({structure({field(optional(named(1)))}), structure()})) == "BA");
}

TEST_CASE("what is boxed, in a list or in a map may come later") {
  CHECK(order(model({structure({boxed(named(1)), field(list(named(1))), field(map(named(1))),
                                field(optional(list(named(1)))), boxed(optional(named(1)))}),
                     structure()})) == "AB");
}

TEST_CASE("the order does not depend on the order of fields") {
  CHECK(order(model({structure({field(named(1)), field(named(2))}), structure(), structure()})) == "BCA");
  CHECK(order(model({structure({field(named(2)), field(named(1))}), structure(), structure()})) == "BCA");
}

TEST_CASE("a type that holds itself by value is found through structs, unions and optionals") {
  CHECK(by_value(model({structure({field(named(0))})})) == "AA");
  CHECK(by_value(model({structure({field(optional(named(0)))})})) == "AA");
  CHECK(by_value(model({choice({field(integer()), field(named(0))})})) == "AA");
  CHECK(by_value(model({structure({field(named(1))}), choice({field(named(2))}),
                        structure({field(named(0))})})) == "ABCA");
}

TEST_CASE("lists, maps and boxes cut a containment") {
  CHECK(by_value(model({structure({field(list(named(0))), field(map(named(0))), boxed(named(0)),
                                   field(list(list(named(0)))), boxed(optional(named(0)))})}))
            .empty());
}

TEST_CASE("every edge that closes a cycle is reported") {
  const Model two =
      model({structure({field(named(1)), field(named(1))}), structure({field(named(0)), field(named(1))})});
  CHECK(by_value(two) == "ABA BB");
  const auto cycles = by_value_cycles(two);
  CHECK(cycles[0][0].field == 0);
  CHECK(cycles[0][1].field == 0);
  CHECK(cycles[1][0].field == 1);
}

TEST_CASE("boxing the last edge of every cycle leaves none") {
  std::vector<Definition> types;
  for (int i = 0; i < 6; ++i) {
    Definition all;
    for (std::size_t type = 0; type < 6; ++type) all.fields.push_back(field(optional(named(type))));
    types.push_back(std::move(all));
  }
  Model dense = model(types);
  for (const Cycle& cycle : by_value_cycles(dense)) {
    dense.types[cycle.back().from].fields[cycle.back().field].boxed = true;
  }
  CHECK(by_value(dense).empty());
  CHECK(generator::layout(dense).size() == 6);
}

TEST_CASE("a cycle of required fields has no finite value, boxed or not") {
  CHECK(required(model({structure({boxed(named(1))}), structure({boxed(named(0))})})) == "ABA");
  CHECK(required(model({structure({field(named(0))})})) == "AA");
}

TEST_CASE("a list, a map or an optional ends a required cycle") {
  CHECK(required(model({structure({field(list(named(0))), field(map(named(0))), boxed(optional(named(0)))})}))
            .empty());
}

TEST_CASE("one member with a finite value is enough for a union") {
  CHECK(required(model({choice({boxed(named(1)), field(integer())}), structure({field(named(0))})})).empty());
  CHECK(
      required(model({choice({boxed(named(1)), field(named(2))}), structure({field(named(0))}), structure()}))
          .empty());
  CHECK(required(model({choice({boxed(named(1)), field(named(2))}), structure({field(named(0))}),
                        structure({field(named(0))})})) == "ABA");
}

TEST_CASE("a type that only uses one without a finite value is not reported") {
  CHECK(required(model({structure({field(named(1))}), structure({boxed(named(1))})})) == "BB");
}

TEST_CASE("every cycle of required fields through structs is reported") {
  CHECK(required(model({structure({boxed(named(1)), boxed(named(2))}), structure({boxed(named(0))}),
                        structure({boxed(named(0))})})) == "ABA ACA");
}

TEST_CASE("a chain as long as the schema allows is walked without recursion") {
  Model chain;
  const std::size_t count = 200000;
  chain.types.resize(count);
  for (std::size_t i = 0; i + 1 < count; ++i) chain.types[i].fields = {field(named(i + 1))};
  CHECK(generator::layout(chain).front() == count - 1);
  CHECK(required_cycles(chain).empty());
  chain.types.back().fields = {boxed(named(0))};
  CHECK(by_value_cycles(chain).empty());
  REQUIRE(required_cycles(chain).size() == 1);
  CHECK(required_cycles(chain).front().size() == count);
}

TEST_CASE("at most a hundred cycles are returned") {
  Definition many;
  for (int i = 0; i < 300; ++i) many.fields.push_back(field(named(0)));
  CHECK(by_value_cycles(model({many})).size() == 100);
}
