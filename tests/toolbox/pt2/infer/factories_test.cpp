#include <catch2/catch.hpp>

#include "inferred_call.h"

TEST_CASE("a new tensor has the size and the dtype that are given, or f32") {
  CHECK(inferred("aten.zeros.default([2, 3])") == "f32[2, 3]");
  CHECK(inferred("aten.empty.memory_format([s0, 3], dtype=i64)") == "i64[s0, 3]");
  CHECK(inferred("aten.ones.default([], dtype=bool)") == "bool[]");
  CHECK(inferred("aten.randn.default([2])") == "f32[2]");
  CHECK(inferred("aten.randint.default(5, [2, 3])") == "i64[2, 3]");
  CHECK(inferred("aten.eye.m(3, 4)") == "f32[3, 4]");
  CHECK(inferred("aten.scalar_tensor.default(1.5, dtype=f64)") == "f64[]");
  CHECK(inferred("aten.randperm.default(7)") == "i64[7]");
}

TEST_CASE("a fill decides the dtype") {
  CHECK(inferred("aten.full.default([2], 1)") == "i64[2]");
  CHECK(inferred("aten.full.default([2], 1.5)") == "f32[2]");
  CHECK(inferred("aten.full.default([2], true)") == "bool[2]");
  CHECK(inferred("aten.full.default([2], 1, dtype=f16)") == "f16[2]");
}

TEST_CASE("a tensor like another has its order of dims") {
  CHECK(inferred("aten.zeros_like.default(f16[2, 3][1, 2])") == "f16[2, 3][1, 2]");
  CHECK(inferred("aten.full_like.default(i32[2, 3], 1.5, dtype=f64)") == "f64[2, 3]");
  CHECK(inferred("aten.rand_like.default(f32[s0, 3])") == "f32[s0, 3]");
  CHECK(inferred("aten.empty_like.default(f32[2, 3, 4, 5], memory_format=channels_last)") ==
        "f32[2, 3, 4, 5][60, 1, 15, 3]");
  CHECK(inferred("aten.new_zeros.default(f16[2, 3][1, 2], [4, 5])") == "f16[4, 5]");
  CHECK(inferred("aten.new_full.default(i64[2], [3], 1, dtype=bool)") == "bool[3]");
}

TEST_CASE("a range counts its steps, and is an i64 unless a bound is a float") {
  CHECK(inferred("aten.arange.default(5)") == "i64[5]");
  CHECK(inferred("aten.arange.start(2, s0)") == "i64[-2 + s0]");
  CHECK(inferred("aten.arange.start_step(1, 10, 3)") == "i64[3]");
  CHECK(inferred("aten.arange.start_step(0, 1, 0.3)") == "f32[4]");
  CHECK(inferred("aten.arange.default(5, dtype=f16)") == "f16[5]");
  CHECK(inferred("aten.linspace.default(0, 1, 7)") == "f32[7]");
}

TEST_CASE("strides of one's own are kept") {
  CHECK(inferred("aten.empty_strided.default([2, 3], [1, 2])") == "f32[2, 3][1, 2]");
  CHECK(inferred("aten.new_empty_strided.default(f16[1], [2, 3], [3, 1])") == "f16[2, 3]");
  CHECK(inferred("aten.empty_permuted.default([2, 3, 4], [2, 0, 1])") == "f32[2, 3, 4][3, 1, 6]");
}

TEST_CASE("too few strides are an error") {
  CHECK(inference_error("aten.empty_strided.default([2, 3], [1])") == "1 stride for 2 sizes");
}

TEST_CASE("windows have one dim") {
  CHECK(inferred("aten.hann_window.default(9)") == "f32[9]");
  CHECK(inferred("aten.blackman_window.default(9, dtype=f64)") == "f64[9]");
}

TEST_CASE("a range in the wrong direction is an error") {
  CHECK(inference_error("aten.arange.start_step(0, 5, 0)") == "cannot divide a size by 0");
  CHECK(inference_error("aten.arange.start_step(0, 5, -1)") ==
        "the step leads away from the end of the range");
}
