#include "schemagen/base/visit.h"

#include <everything/visit.h>
#include <pt2/visit.h>
#include <wide/visit.h>

#include <catch2/catch.hpp>
#include <string>
#include <type_traits>
#include <vector>

#include "runtime/show_value.h"

using everything::Choice;
using everything::Tree;
using schemagen::ReflectedType;

namespace {

struct WeightedSum {
  double sum = 0;
  template <class Field>
  constexpr void operator()(Field, double member) {
    sum += member * Field::id;
  }
};

constexpr double weighted_sum(const pt2::ComplexValue& value) {
  WeightedSum sum;
  schemagen::visit(value, sum);
  return sum.sum;
}

struct Seen {
  std::string name;
  std::int32_t id;
  std::string type;
};

template <class T>
std::vector<Seen> fields_seen(const T& value) {
  std::vector<Seen> seen;
  schemagen::visit(value, [&](auto field, const auto&) {
    seen.push_back({std::string(field.name), field.id, std::string(field.type.name)});
  });
  return seen;
}

}  // namespace

static_assert(schemagen::reflected_type<Tree>().name == "Tree");
static_assert(schemagen::Field<pt2::Node, 3>::name == "metadata" && schemagen::Field<pt2::Node, 3>::id == 40);
static_assert(schemagen::kIsReflectedEnum<pt2::ScalarType> && schemagen::kIsReflectedUnion<pt2::Argument>);
static_assert(!schemagen::kIsReflected<std::string> && !schemagen::kIsReflected<std::vector<Tree>>);

TEST_CASE("fields of a struct are visited with names, ids and types, in the schema's order") {
  const std::vector<Seen> seen = fields_seen(pt2::Device{"cuda", 1});
  REQUIRE(seen.size() == 2);
  CHECK(seen[0].name == "type");
  CHECK(seen[0].id == 10);
  CHECK(seen[0].type == "str");
  CHECK(seen[1].name == "index");
  CHECK(seen[1].type == "Optional[int]");
}

TEST_CASE("a field is visited by its name in the schema, even if C++ renames it") {
  std::vector<std::string> names;
  everything::Awkward value;
  value.another = 77;
  schemagen::visit(value, [&](auto field, const auto& member) {
    if constexpr (std::is_same_v<decltype(member), const std::int64_t&>) {
      if (field.name == "renamed") CHECK(member == 77);
    }
    names.emplace_back(field.name);
  });
  CHECK(names.size() == everything::kReflection.types[everything::kReflection.find("Awkward")].field_count);
  CHECK(names[0] == "class");
}

TEST_CASE("fields that are visited can be changed") {
  pt2::Device device{"cpu", 3};
  schemagen::visit(device, [](auto field, auto& member) {
    if constexpr (field.name == "index") member.reset();
  });
  CHECK(device == pt2::Device{"cpu", {}});
}

TEST_CASE("only the member that is set of a union is visited") {
  CHECK(fields_seen(Choice{}).empty());
  const std::vector<Seen> seen = fields_seen(Choice::of<Choice::get_>("x"));
  REQUIRE(seen.size() == 1);
  CHECK(seen[0].name == "get");
  CHECK(seen[0].id == 2);
}

TEST_CASE("structs and unions of any width are visited") {
  std::size_t count = 0;
  schemagen::visit(wide::Wide{}, [&](auto field, const auto&) { count += field.index == count ? 1 : 0; });
  CHECK(count == schemagen::reflected_type<wide::Wide>().field_count);
  CHECK(count > 900);
}

TEST_CASE("boxed values are visited without their box") {
  Choice choice;
  choice.emplace<Choice::tree>().name = "boxed";
  std::string name;
  schemagen::visit(choice, [&](auto, const auto& member) {
    if constexpr (std::is_same_v<decltype(member), const Tree&>) name = member.name;
  });
  CHECK(name == "boxed");
}

TEST_CASE("a field accesses the same field of another value") {
  const pt2::Device a{"cpu", {}};
  const pt2::Device b{"cuda", {}};
  std::vector<std::string> different;
  schemagen::visit(a, [&](auto field, const auto& member) {
    if (!(member == field.of(b))) different.emplace_back(field.name);
  });
  CHECK(different == std::vector<std::string>{"type"});
}

TEST_CASE("a struct of numbers is visited in a constant expression") {
  constexpr pt2::ComplexValue kValue{2, 3};
  static_assert(weighted_sum(kValue) == 2 * 10 + 3 * 20);
  CHECK(weighted_sum(kValue) == 80);
}
