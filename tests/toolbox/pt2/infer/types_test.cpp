#include <catch2/catch.hpp>
#include <vector>

#include "inferred_call.h"
#include "pt2/infer/infer.h"

TEST_CASE("unsigned and signed integers are promoted to one that holds both") {
  CHECK(inferred("aten.add.Tensor(u8[2], i8[2])") == "i16[2]");
  CHECK(inferred("aten.add.Tensor(u8[2], i32[2])") == "i32[2]");
  CHECK(inferred("aten.add.Tensor(bool[2], u8[2])") == "u8[2]");
}

TEST_CASE("f16 and bf16 are promoted to f32, and complex numbers keep the wider part") {
  CHECK(inferred("aten.add.Tensor(f16[2], bf16[2])") == "f32[2]");
  CHECK(inferred("aten.add.Tensor(c64[2], f64[2])") == "c128[2]");
  CHECK(inferred("aten.add.Tensor(c64[2], f16[2])") == "c64[2]");
  CHECK(inferred("aten.add.Tensor(f16[2], i64[2])") == "f16[2]");
}

TEST_CASE("a scalar promotes only to a higher category") {
  CHECK(inferred("aten.add.Tensor(f16[2], f64[])") == "f16[2]");
  CHECK(inferred("aten.add.Tensor(i32[2], f64[])") == "f64[2]");
  CHECK(inferred("aten.add.Tensor(i8[2], i64[])") == "i8[2]");
}

TEST_CASE("the order of dims is that of the first operand whose strides decide") {
  CHECK(inferred("aten.add.Tensor(f32[2, 3, 4][12, 1, 3], f32[2, 3, 4])") == "f32[2, 3, 4][12, 1, 3]");
  CHECK(inferred("aten.add.Tensor(f32[3, 1], f32[2, 3, 4][1, 8, 2])") == "f32[2, 3, 4][1, 8, 2]");
  CHECK(inferred("aten.add.Tensor(f32[2, 3][0, 1], f32[2, 3][1, 2])") == "f32[2, 3][1, 2]");
}

TEST_CASE("gaps between elements are closed") {
  CHECK(inferred("aten.relu.default(f32[2, 3][6, 2]+1)") == "f32[2, 3]");
  CHECK(inferred("aten.relu.default(f32[2, 3][0, 1])") == "f32[2, 3]");
}

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
