#include <catch2/catch.hpp>

#include "inferred_call.h"

TEST_CASE("shapes are broadcast and dtypes promoted") {
  CHECK(inferred("aten.add.Tensor(f32[2, 3], f32[3])") == "f32[2, 3]");
  CHECK(inferred("aten.mul.Tensor(i64[2, 1], f16[4])") == "f16[2, 4]");
  CHECK(inferred("aten.add.Tensor(i32[3], 2)") == "i32[3]");
  CHECK(inferred("aten.mul.Tensor(i32[3], 1.5)") == "f32[3]");
  CHECK(inferred("aten.sub.Tensor(f32[s0, 1], f64[1, s1])") == "f64[s0, s1]");
  CHECK(inferred("aten.add.Tensor(f16[3], f32[])") == "f16[3]");
  CHECK(inferred("aten.maximum.default(u8[3], i8[3])") == "i16[3]");
}

TEST_CASE("results have the memory order of the operands") {
  CHECK(inferred("aten.relu.default(f32[2, 3][1, 2])") == "f32[2, 3][1, 2]");
  CHECK(inferred("aten.add.Tensor(f32[2, 3][1, 2], f32[2, 3])") == "f32[2, 3][1, 2]");
  CHECK(inferred("aten.mul.Tensor(f32[2, 3][1, 2], f32[3])") == "f32[2, 3][1, 2]");
  CHECK(inferred("aten.neg.default(f32[4][2])") == "f32[4]");
}

TEST_CASE("functions with fractions turn integers into floats") {
  CHECK(inferred("aten.sin.default(i64[3])") == "f32[3]");
  CHECK(inferred("aten.sqrt.default(bool[3])") == "f32[3]");
  CHECK(inferred("aten.div.Tensor(i64[3], i64[3])") == "f32[3]");
  CHECK(inferred("aten.div.Tensor_mode(i64[3], i64[3], rounding_mode='floor')") == "i64[3]");
  CHECK(inferred("aten.sigmoid.default(c64[3])") == "c64[3]");
  CHECK(inferred("aten.float_power.Tensor_Scalar(f32[3], 2)") == "f64[3]");
  CHECK(inferred("aten.atan2.default(i32[3], i32[3])") == "f32[3]");
}

TEST_CASE("comparisons are bools") {
  CHECK(inferred("aten.lt.Tensor(f32[2, 1], f64[3])") == "bool[2, 3]");
  CHECK(inferred("aten.eq.Scalar(i64[3], 1)") == "bool[3]");
  CHECK(inferred("aten.isnan.default(f32[3])") == "bool[3]");
  CHECK(inferred("aten.logical_and.default(i64[3], f32[3])") == "bool[3]");
}

TEST_CASE("absolute values and angles of complex numbers are real") {
  CHECK(inferred("aten.abs.default(c64[3])") == "f32[3]");
  CHECK(inferred("aten.abs.default(i32[3])") == "i32[3]");
  CHECK(inferred("aten.angle.default(c128[3])") == "f64[3]");
  CHECK(inferred("aten.angle.default(i32[3])") == "f32[3]");
  CHECK(inferred("aten.complex.default(f32[3], f32[3])") == "c64[3]");
  CHECK(inferred("aten.polar.default(f64[3], f64[3])") == "c128[3]");
}

TEST_CASE("a choice has the shape of all three, and the dtype of the two values") {
  CHECK(inferred("aten.where.self(bool[3, 1], f32[4], i64[])") == "f32[3, 4]");
  CHECK(inferred("aten.where.ScalarSelf(bool[3], 1.5, i64[3])") == "f32[3]");
  CHECK(inferred("aten.masked_fill.Scalar(f16[2, 3], bool[3], 2)") == "f16[2, 3]");
}

TEST_CASE("conversions keep the order of dims unless a memory format is given") {
  CHECK(inferred("aten._to_copy.default(f32[2, 3][1, 2], dtype=f16)") == "f16[2, 3][1, 2]");
  CHECK(inferred("aten.to.dtype(i64[3], f32)") == "f32[3]");
  CHECK(inferred("aten._to_copy.default(f32[2, 3, 4, 5], memory_format=channels_last)") ==
        "f32[2, 3, 4, 5][60, 1, 15, 3]");
}

TEST_CASE("dropout that returns a mask returns bools") {
  CHECK(inferred("aten.native_dropout.default(f32[2, 3], 0.5, true)") == "f32[2, 3], bool[2, 3]");
}

TEST_CASE("shapes that cannot be broadcast are errors") {
  CHECK(inference_error("aten.add.Tensor(f32[2, 3], f32[4])") == "cannot broadcast shapes [2, 3] and [4]");
  CHECK(inference_error("aten.where.self(bool[2], f32[3], f32[3])") == "cannot broadcast shapes [2] and [3]");
}

TEST_CASE("integers become floats") {
  CHECK(inferred("aten.polygamma.default(2, i64[3])") == "f32[3]");
  CHECK(inferred("aten.special_zeta.default(i64[3], i32[2, 1])") == "f32[2, 3]");
  CHECK(inferred("aten.special_i0e.default(bool[3])") == "f32[3]");
  CHECK(inferred("aten.special_hermite_polynomial_h.default(i64[3], i64[3])") == "f32[3]");
  CHECK(inferred("aten.mvlgamma.default(i64[3], 1)") == "f32[3]");
  CHECK(inferred("aten.ldexp.Tensor(i64[3], i64[3])") == "f32[3]");
  CHECK(inferred("aten.special_erf.default(i64[3])") == "f32[3]");
  CHECK(inferred("aten.special_gammainc.default(f32[3], f32[2, 1])") == "f32[2, 3]");
}

TEST_CASE("quantized values have the target's dtype, and dequantized ones are f32") {
  CHECK(inferred("quantized_decomposed.quantize_per_tensor.default(f32[4, 6], 0.1, 0, -128, 127, i8)") ==
        "i8[4, 6]");
  CHECK(inferred("quantized_decomposed.dequantize_per_tensor.default(i8[4, 6], 0.1, 0, -128, 127, i8)") ==
        "f32[4, 6]");
  CHECK(inferred(
            "quantized_decomposed.quantize_per_channel.default(f32[4, 6], f32[4], i64[4], 0, 0, 255, u8)") ==
        "u8[4, 6]");
  CHECK(inferred(
            "quantized_decomposed.dequantize_per_channel.default(u8[4, 6], f32[4], i64[4], 0, 0, 255, u8)") ==
        "f32[4, 6]");
}

TEST_CASE("scales and zero points are found for a tensor, or for each token") {
  CHECK(inferred("quantized_decomposed.choose_qparams.tensor(f32[4, 6], -128, 127, 0.00001, i8)") ==
        "f64[1], i64[1]");
  CHECK(inferred("quantized_decomposed.choose_qparams_per_token.default(f32[2, 4, 6], i8)") ==
        "f64[2, 4, 1], i64[2, 4, 1]");
  CHECK(inferred("quantized_decomposed.choose_qparams_per_token_asymmetric.default(f32[s0, 6], i8)") ==
        "f64[s0, 1], i64[s0, 1]");
}
