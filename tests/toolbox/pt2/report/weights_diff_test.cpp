#include "pt2/report/weights_diff.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <limits>

#include "schemagen/base/error.h"
#include "thrown.h"

using pt2::diff_weights;
using pt2::Difference;
using pt2::ScalarType;
using pt2::Weight;

namespace {

Weight weight(const std::string& name, const std::vector<float>& elements,
              const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& strides) {
  std::string bytes(elements.size() * sizeof(float), 0);
  std::memcpy(bytes.data(), elements.data(), bytes.size());
  Weight made;
  made.name = name;
  made.tensor.emplace();
  made.tensor->layout = {ScalarType::FLOAT, shape, strides, 0};
  made.tensor->device.type = "cpu";
  made.tensor->storage = std::make_shared<pt2::Storage>(pt2::MemberBytes(std::move(bytes)));
  return made;
}

Weight row(const std::string& name, const std::vector<float>& elements) {
  return weight(name, elements, {static_cast<std::int64_t>(elements.size())}, {1});
}

}  // namespace

TEST_CASE("weights with the same elements are equal, whatever their strides") {
  CHECK(diff_weights({weight("w", {1, 2, 3, 4, 5, 6}, {2, 3}, {3, 1})},
                     {weight("w", {1, 4, 2, 5, 3, 6}, {2, 3}, {1, 2})})
            .empty());
}

TEST_CASE("bits are compared: NaN equals itself, and -0.0 differs from 0.0") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  CHECK(diff_weights({row("w", {nan})}, {row("w", {nan})}).empty());
  CHECK(diff_weights({row("w", {0.0F})}, {row("w", {-0.0F})}).size() == 1);
}

TEST_CASE("the elements that differ are counted, with the largest differences of finite ones") {
  const float infinity = std::numeric_limits<float>::infinity();
  const std::vector<Difference> found =
      diff_weights({row("w", {1, 2, 4, 0})}, {row("w", {1, 2.5, 4.5, infinity})});
  REQUIRE(found.size() == 1);
  CHECK(found[0].kind == Difference::Kind::changed);
  CHECK(found[0].part == "weights");
  CHECK(found[0].before == "parameter w: f32[4]");
  CHECK(found[0].details == std::vector<std::string>{"3 of 4 elements differ, by up to 0.5, relative 0.25"});
  CHECK(found[0].largest_absolute == 0.5);
  CHECK(found[0].largest_relative == 0.25);
}

TEST_CASE("weights of one program only are added or removed, and of other types changed") {
  const std::vector<Difference> found =
      diff_weights({row("gone", {1}), row("other", {1, 2})}, {row("new", {1}), row("other", {1})});
  REQUIRE(found.size() == 3);
  CHECK(found[0].kind == Difference::Kind::removed);
  CHECK(found[0].after.empty());
  CHECK(found[1].kind == Difference::Kind::changed);
  CHECK(found[1].before == "parameter other: f32[2]");
  CHECK(found[1].after == "parameter other: f32[1]");
  CHECK(found[2].kind == Difference::Kind::added);
  CHECK(found[2].before.empty());
}

TEST_CASE("a tensor that its storage is too small for is refused by name") {
  CHECK(error_of<schemagen::DataError>([] {
          diff_weights({row("w", {1, 2})}, {weight("w", {1}, {2}, {1})});
        }).rfind("tensor 'w': ", 0) == 0);
}
