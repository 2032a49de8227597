#include <catch2/catch.hpp>

#include "inferred_call.h"

TEST_CASE("products run in the mode's dtype") {
  CHECK(inferred("aten.linear.default(f32[2, 4], f32[5, 4])", "bf16") == "bf16[2, 5]");
  CHECK(inferred("aten.linear.default(bf16[2, 4][1, 2], f32[5, 4], f32[5])", "bf16") == "bf16[2, 5]");
  CHECK(inferred("aten.linear.default(f32[3, 2, 4], bf16[5, 4], f32[5])", "bf16") == "bf16[3, 2, 5]");
  CHECK(inferred("aten.linear.default(f64[2, 4], f64[5, 4])", "bf16") == "f64[2, 5]");
  CHECK(inferred("aten.mm.default(f32[2, 4], f32[4, 5])", "f16") == "f16[2, 5]");
  CHECK(inferred("aten.bmm.default(f32[1, 2, 3], f32[1, 3, 4])", "bf16") == "bf16[1, 2, 4]");
  CHECK(inferred("aten.conv2d.default(f32[1, 2, 5, 5], f32[3, 2, 3, 3])", "bf16") == "bf16[1, 3, 3, 3]");
}

TEST_CASE("losses and products of elements run in f32") {
  CHECK(inferred("aten.mse_loss.default(bf16[2, 3], bf16[2, 3])", "bf16") == "f32[]");
  CHECK(inferred("aten.prod.default(bf16[3])", "bf16") == "f32[]");
}

TEST_CASE("other operators keep their dtypes, and no operator casts integers or f64") {
  CHECK(inferred("aten.relu.default(f32[2])", "bf16") == "f32[2]");
  CHECK(inferred("aten.add.Tensor(f16[2], f32[2])", "bf16") == "f32[2]");
  CHECK(inferred("aten.mm.default(f64[2, 4], f64[4, 5])", "bf16") == "f64[2, 5]");
}
