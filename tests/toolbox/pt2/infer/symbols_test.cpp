#include <catch2/catch.hpp>

#include "inferred_call.h"

TEST_CASE("sums, products and quotients of sizes are simplified") {
  CHECK(inferred("_operator.add(s0, 3)") == "int 3 + s0");
  CHECK(inferred("_operator.sub(s0, s0)") == "int 0");
  CHECK(inferred("_operator.mul(2, 2*s0)") == "int 4*s0");
  CHECK(inferred("_operator.floordiv(4*s0, 2)") == "int 2*s0");
  CHECK(inferred("_operator.floordiv(s0, 2)") == "int s0//2");
  CHECK(inferred("_operator.mod(4*s0, 2)") == "int 0");
  CHECK(inferred("_operator.mod(s0, 2)") == "int s0 % 2");
  CHECK(inferred("_operator.neg(s0)") == "int -s0");
  CHECK(inferred("torch.sym_max(s0, 3)") == "int Max(3, s0)");
  CHECK(inferred("torch.sym_min(s0, s1)") == "int Min(s0, s1)");
}

TEST_CASE("quotients and sums with floats are floats, and relations bools") {
  CHECK(inferred("_operator.truediv(s0, 2)") == "float");
  CHECK(inferred("_operator.add(s0, 1.5)") == "float");
  CHECK(inferred("torch.sym_float(s0)") == "float");
  CHECK(inferred("_operator.lt(s0, s1)") == "bool");
  CHECK(inferred("_operator.eq(s0, 3)") == "bool");
  CHECK(inferred("torch.sym_not(true)") == "bool");
}

TEST_CASE("sizes and numbers of elements are read off a tensor") {
  CHECK(inferred("aten.sym_size.int(f32[s0, 3], 0)") == "int s0");
  CHECK(inferred("aten.sym_size.int(f32[s0, 3], -1)") == "int 3");
  CHECK(inferred("aten.sym_numel.default(f32[s0, 3])") == "int 3*s0");
}

TEST_CASE("a division of sizes by zero is an error") {
  CHECK(inference_error("_operator.floordiv(s0, 0)") == "cannot divide a size by 0");
}
