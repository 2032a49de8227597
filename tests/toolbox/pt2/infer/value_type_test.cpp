#include <catch2/catch.hpp>
#include <vector>

#include "pt2/infer/infer.h"

using pt2::Size;
using pt2::TensorType;

TEST_CASE("row-major strides count elements from the last dim, and a size of 0 as 1") {
  CHECK(pt2::row_major_strides({2, 3, 4}) == std::vector<Size>{12, 4, 1});
  CHECK(pt2::row_major_strides({2, 0, 4}) == std::vector<Size>{4, 4, 1});
  CHECK(pt2::row_major_strides({}).empty());
  const Size s0 = Size::symbol("s0");
  CHECK(pt2::row_major_strides({2, s0, 4}) == std::vector<Size>{s0 * Size(4), 4, 1});
}

TEST_CASE("elements are counted over all dims, and a scalar has one") {
  CHECK(pt2::element_count({2, 3}).is(6));
  CHECK(pt2::element_count({}).is(1));
  CHECK(pt2::element_count({2, 0}).is(0));
}

TEST_CASE("a type that is written and read is the same") {
  TensorType type(pt2::ScalarType::HALF, {2, Size::symbol("s0")}, {"cuda", 1});
  type.strides = {1, 2};
  type.offset = 3;
  type.requires_grad = true;
  const pt2::TensorMeta meta = type.meta();
  CHECK(TensorType(meta).meta() == meta);
  CHECK(TensorType(meta).sizes == type.sizes);
  CHECK(TensorType(meta).strides == type.strides);
  CHECK(meta.device.type == "cuda");
}

TEST_CASE("hints are those of plain symbols, and the first one counts") {
  pt2::Bindings given;
  given.insert("s0", 5);
  const Size s0 = Size::symbol("s0");
  pt2::Graph graph;
  graph.tensor_values.insert("x", TensorType(pt2::ScalarType::FLOAT, {s0, s0 * Size(2)}).meta(given));
  graph.sym_int_values.insert("n", Size::symbol("u0").sym_int({}));
  const pt2::Bindings hints = pt2::hints_of(graph);
  REQUIRE(hints.size() == 1);
  CHECK(hints.at("s0") == 5);
}
