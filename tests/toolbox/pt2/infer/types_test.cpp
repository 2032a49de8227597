#include <catch2/catch.hpp>

#include "inferred_call.h"

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
