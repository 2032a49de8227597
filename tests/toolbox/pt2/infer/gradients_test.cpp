#include <catch2/catch.hpp>

#include "inferred_call.h"

TEST_CASE("gradients have the shape of what they are for, and the memory order that torch gives them") {
  CHECK(
      inferred(
          "aten.avg_pool2d_backward.default(f32[2, 3, 2, 2], f32[2, 3, 4, 5][60, 1, 15, 3], [2, 2], [2, 2], "
          "[0, 0], false, true, none)") == "f32[2, 3, 4, 5][60, 1, 15, 3]");
  CHECK(
      inferred(
          "aten._adaptive_avg_pool3d_backward.default(f32[2, 3, 2, 2, 2], f32[2, 3, 4, 5, 6][360, 1, 90, 18, "
          "3])") == "f32[2, 3, 4, 5, 6]");
  CHECK(inferred("aten.nll_loss_backward.default(f32[], f32[4, 5][1, 4], i64[4], none, 1, -100, f32[])") ==
        "f32[4, 5]");
  CHECK(inferred("aten.log_sigmoid_backward.default(f32[3, 4][1, 3], f32[3, 4], f32[3, 4])") ==
        "f32[3, 4][1, 3]");
  CHECK(inferred("aten.binary_cross_entropy_backward.default(f32[], f32[3, 4][1, 3], f32[3, 4][1, 3])") ==
        "f32[3, 4][1, 3]");
  CHECK(inferred(
            "aten.upsample_bilinear2d_backward.default(f32[1, 2, 6, 8][96, 1, 16, 2], [6, 8], [1, 2, 3, 4], "
            "false)") == "f32[1, 2, 3, 4][0, 1, 8, 2]");
  CHECK(inferred(
            "aten.upsample_bicubic2d_backward.default(f32[1, 2, 6, 8][96, 1, 16, 2], [6, 8], [1, 2, 3, 4], "
            "false)") == "f32[1, 2, 3, 4]");
  CHECK(inferred("aten.select_backward.default(f32[s0, 4], [s0, 3, 4], 1, 0)") == "f32[s0, 3, 4]");
  CHECK(inferred("aten.embedding_dense_backward.default(f32[2, 3, 4], i64[2, 3], 10, -1, false)") ==
        "f32[10, 4]");
  CHECK(inferred("aten.masked_select_backward.default(f32[12], f32[3, 4][1, 3], bool[3, 4])") == "f32[3, 4]");
}

TEST_CASE("an operator gives the gradients that its mask asks for") {
  CHECK(inferred("aten.native_layer_norm_backward.default(f32[2, 3, 4], f32[2, 3, 4], [4], f32[2, 3, 1], "
                 "f32[2, 3, 1], "
                 "f32[4], f32[4], [true, true, true])") == "f32[2, 3, 4], f32[4], f32[4]");
  CHECK(inferred("aten.native_layer_norm_backward.default(f32[1, 2, 3][6, 1, 2], f32[1, 2, 3][6, 1, 2], [3], "
                 "f32[1, 2, "
                 "1], f32[1, 2, 1], f32[3], f32[3], [true, true, true])") ==
        "f32[1, 2, 3][0, 1, 2], f32[3], f32[3]");
  CHECK(inferred("aten.native_batch_norm_backward.default(f32[2, 3, 4][12, 1, 3], f32[2, 3, 4], f32[3], "
                 "f32[3], f32[3], "
                 "f32[3], f32[3], true, 0.00001, [true, true, true])") ==
        "f32[2, 3, 4][12, 1, 3], f32[3], f32[3]");
  CHECK(inferred("aten.linear_backward.default(f32[3, 4], f32[3, 5], f32[5, 4], [true, true, true])") ==
        "f32[3, 4], f32[5, 4], f32[5]");
}

TEST_CASE("the gradient of a convolution's bias has the sizes that the call states") {
  CHECK(inferred("aten.convolution_backward.default(f32[2, s0, 3, 3], f32[2, 3, 5, 5], f32[s0, 3, 3, 3], "
                 "[5], [1, 1], "
                 "[0, 0], [1, 1], false, [0, 0], 1, [true, true, true])") ==
        "f32[2, 3, 5, 5], f32[s0, 3, 3, 3], f32[5]");
}

TEST_CASE("operators on lists of tensors give what the operators on one tensor give for each") {
  CHECK(inferred("aten._foreach_add.Scalar([i64[3, 4][1, 3], f16[2]], 1.5)") == "f32[3, 4][1, 3], f16[2]");
  CHECK(inferred("aten._foreach_div.List([i64[3, 4], f16[2]], [i64[3, 4], f16[2]])") == "f32[3, 4], f16[2]");
  CHECK(inferred("aten._foreach_add.ScalarList([f32[2], i64[3]], [1.0, 2.0])") == "f32[2], f32[3]");
  CHECK(inferred("aten._foreach_addcmul.ScalarList([f32[2]], [f32[2]], [f32[2]], [1.0])") == "f32[2]");
  CHECK(inferred("aten._foreach_pow.ScalarAndTensor(2.0, [f32[2]])") == "f32[2]");
  CHECK(inferred("aten._foreach_norm.Scalar([f32[2, 3], f32[4]])") == "f32[], f32[]");
  CHECK(inferred("aten._foreach_mm.default([f32[2, 3]], [f32[3, 4]])") == "f32[2, 4]");
}

TEST_CASE("operators that are rare have rules, too") {
  CHECK(inferred("aten.conv_tbc.default(f32[5, 2, 3], f32[3, 3, 4], f32[4], 1)") == "f32[5, 2, 4]");
  CHECK(inferred("aten.range.step(0, 5.5, 1.5)") == "f32[4]");
  CHECK(inferred("aten.range.default(0, 5)") == "f32[6]");
  CHECK(inferred("aten.norm_except_dim.default(f32[3, 4, 5][1, 3, 12], 2, 1)") == "f32[1, 4, 1]");
  CHECK(inferred("aten.norm_except_dim.default(f32[3, 4], 2, -1)") == "f32[]");
  CHECK(inferred("aten._weight_int8pack_mm.default(bf16[3, 4], i8[5, 4], bf16[5])") == "bf16[3, 5]");
  CHECK(inferred("aten._cast_Half.default(f32[3, 4][1, 3])") == "f16[3, 4][1, 3]");
  CHECK(inferred("aten._aminmax.dim(f32[3, 4], 1, true)") == "f32[3, 1], f32[3, 1]");
  CHECK(inferred("aten.embedding_renorm.default(f32[3, 4][1, 3], i64[2], 1.0, 2.0)") == "f32[3, 4][1, 3]");
  CHECK(inferred("aten._convolution_mode.default(f32[1, 2, 5, 5], f32[3, 2, 3, 3], none, [1, 1], 'same', [1, "
                 "1], 1)") == "f32[1, 3, 5, 5]");
}
