#include <catch2/catch.hpp>

#include "inferred_call.h"

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
