#include "schemagen/base/hash.h"

#include <everything/json.h>
#include <everything/visit.h>
#include <pt2/json.h>
#include <pt2/visit.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <unordered_set>

#include "runtime/random_value.h"
#include "runtime/show_value.h"
#include "runtime/test_seed.h"

using everything::Choice;
using everything::Containers;
using everything::Scalars;
using everything::Tree;

namespace {

Containers reversed(const Containers& value) {
  Containers result = value;
  result.colors.clear();
  for (auto entry = value.colors.end(); entry != value.colors.begin();) {
    --entry;
    result.colors.insert(entry->key(), entry->value);
  }
  return result;
}

Scalars with_ratio(double ratio) {
  Scalars value;
  value.ratio = ratio;
  return value;
}

}  // namespace

TEST_CASE("equal values have equal hashes, whatever they are") {
  RandomValue random(test_seed());
  int equal = 0;
  for (int i = 0; i < 3000; ++i) {
    const auto a = random.make<Choice>();
    const auto b = random.make<Choice>();
    const Choice copy = a;
    REQUIRE(schemagen::hash(copy) == schemagen::hash(a));
    if (a == b) ++equal;
    CAPTURE(a, b);
    REQUIRE((schemagen::hash(a) == schemagen::hash(b)) == (a == b));
  }
  CHECK(equal > 10);
}

TEST_CASE("0.0 and -0.0 are equal and hash alike, all NaN hash alike") {
  CHECK(with_ratio(0.0) == with_ratio(-0.0));
  CHECK(schemagen::hash(with_ratio(0.0)) == schemagen::hash(with_ratio(-0.0)));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(schemagen::hash(with_ratio(nan)) == schemagen::hash(with_ratio(-nan)));
  CHECK(schemagen::hash(with_ratio(1.0)) != schemagen::hash(with_ratio(2.0)));
}

TEST_CASE("maps hash alike in any order of their entries") {
  RandomValue random(test_seed());
  int orders = 0;
  for (int i = 0; i < 500; ++i) {
    const auto value = random.make<Containers>();
    const Containers other = reversed(value);
    REQUIRE(schemagen::hash(other) == schemagen::hash(value));
    if (value.colors.size() > 1) ++orders;
  }
  CHECK(orders > 50);
}

TEST_CASE("members of a union with equal values hash differently, as does none") {
  std::unordered_set<Choice> choices;
  choices.insert(Choice{});
  choices.insert(Choice::of<Choice::get_>("x"));
  choices.insert(Choice::of<Choice::int_>("x"));
  choices.insert(Choice::of<Choice::get_>("x"));
  CHECK(choices.size() == 3);
  CHECK(choices.count(Choice::of<Choice::int_>("x")) == 1);
}

TEST_CASE("null, empty and the default are different to a hash") {
  Containers null;
  Containers empty;
  empty.choices.emplace();
  CHECK(schemagen::hash(null) != schemagen::hash(empty));
  Scalars unnamed;
  unnamed.color = static_cast<everything::Color>(12345);
  CHECK(schemagen::hash(unnamed) != schemagen::hash(Scalars{}));
}

TEST_CASE("a program read twice hashes alike, and not once a number in it changes") {
  std::ifstream in(PT2_SOURCE_DIR "/tests/data/programs/torch-2.13.0/mlp.json", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const auto program = schemagen::from_json<pt2::ExportedProgram>(text);
  auto other = schemagen::from_json<pt2::ExportedProgram>(text);
  CHECK(std::hash<pt2::ExportedProgram>{}(other) == std::hash<pt2::ExportedProgram>{}(program));
  other.graph_module.graph.nodes.back().inputs.back().name += "x";
  CHECK(std::hash<pt2::ExportedProgram>{}(other) != std::hash<pt2::ExportedProgram>{}(program));
}
