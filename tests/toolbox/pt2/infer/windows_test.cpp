#include <catch2/catch.hpp>

#include "inferred_call.h"

TEST_CASE("a convolution counts the places of its kernel") {
  CHECK(inferred("aten.conv1d.default(f32[2, 4, 9], f32[6, 4, 3])") == "f32[2, 6, 7]");
  CHECK(inferred("aten.conv2d.default(f32[2, 4, 8, 9], f32[6, 2, 3, 2], none, [2, 1], [1, 0], [1, 2], 2)") ==
        "f32[2, 6, 4, 7]");
  CHECK(inferred("aten.conv2d.default(f32[4, 8, 9], f32[6, 4, 3, 3])") == "f32[6, 6, 7]");
  CHECK(inferred("aten.conv3d.default(f32[1, 2, 4, 5, 6], f32[3, 2, 2, 2, 2])") == "f32[1, 3, 3, 4, 5]");
  CHECK(inferred("aten.conv2d.padding(f32[2, 4, 8, 9], f32[6, 4, 3, 3], none, [1, 1], 'same')") ==
        "f32[2, 6, 8, 9]");
  CHECK(inferred("aten.conv1d.default(f32[2, 4, s0], f32[6, 4, 3], none, [2], [1])") ==
        "f32[2, 6, 1 + (-1 + s0)//2]");
}

TEST_CASE("a transposed convolution grows the image") {
  CHECK(inferred(
            "aten.conv_transpose2d.input(f32[2, 4, 5, 6], f32[4, 3, 2, 3], none, [2, 2], [1, 0], [1, 0])") ==
        "f32[2, 3, 9, 13]");
  CHECK(inferred("aten.conv_transpose1d.default(f32[2, 4, 5], f32[4, 3, 3], none, [2])") == "f32[2, 3, 11]");
  CHECK(inferred("aten.convolution.default(f32[2, 4, 5, 6], f32[4, 3, 2, 2], none, [2, 2], [0, 0], [1, 1], "
                 "true, [0, 0], 1)") == "f32[2, 3, 10, 12]");
}

TEST_CASE("a pool may count a last window that is partly outside") {
  CHECK(inferred("aten.max_pool2d.default(f32[2, 4, 8, 8], [3, 3], [2, 2])") == "f32[2, 4, 3, 3]");
  CHECK(inferred("aten.max_pool2d.default(f32[2, 4, 8, 8], [3, 3], [2, 2], [0, 0], [1, 1], true)") ==
        "f32[2, 4, 4, 4]");
  CHECK(inferred("aten.avg_pool1d.default(f32[4, 9], [2])") == "f32[4, 4]");
  CHECK(inferred("aten.avg_pool2d.default(f32[4, 9, 7], [2, 3], [], [1, 0])") == "f32[4, 5, 2]");
  CHECK(inferred("aten.max_pool3d.default(f32[1, 2, 4, 4, 4], [2, 2, 2])") == "f32[1, 2, 2, 2, 2]");
}

TEST_CASE("indices of a pool are i64") {
  CHECK(inferred("aten.max_pool2d_with_indices.default(f16[2, 4, 8, 8], [2, 2])") ==
        "f16[2, 4, 4, 4], i64[2, 4, 4, 4]");
  CHECK(inferred("aten.adaptive_max_pool2d.default(f32[2, 4, 8, 8], [3, 1])") ==
        "f32[2, 4, 3, 1], i64[2, 4, 3, 1]");
}

TEST_CASE("an adaptive pool has the given size") {
  CHECK(inferred("aten.adaptive_avg_pool2d.default(f32[2, 4, 8, 9], [3, 1])") == "f32[2, 4, 3, 1]");
  CHECK(inferred("aten._adaptive_avg_pool2d.default(f32[4, 8, 9], [1, 1])") == "f32[4, 1, 1]");
  CHECK(inferred("aten.adaptive_avg_pool1d.default(f32[4, s0], [2])") == "f32[4, 2]");
}

TEST_CASE("images with channels last stay so") {
  CHECK(inferred("aten.conv2d.default(f32[2, 4, 8, 9][288, 1, 36, 4], f32[6, 4, 3, 3])") ==
        "f32[2, 6, 6, 7][252, 1, 42, 6]");
  CHECK(inferred("aten.max_pool2d.default(f32[2, 4, 8, 8][256, 1, 32, 4], [2, 2])") ==
        "f32[2, 4, 4, 4][64, 1, 16, 4]");
}

TEST_CASE("channels that do not fit, and images smaller than the kernel, are errors") {
  CHECK(inference_error("aten.conv2d.default(f32[2, 4, 8, 8], f32[6, 3, 3, 3])") ==
        "expected 3 input channels for weight shape [6, 3, 3, 3], got input shape [2, 4, 8, 8]");
  CHECK(inference_error("aten.conv2d.default(f32[2, 4, 2, 8], f32[6, 4, 3, 3])") ==
        "the kernel is larger than the padded image");
  CHECK(inference_error("aten.max_pool2d.default(f32[2, 4, 1, 8], [2, 2])") ==
        "the kernel is larger than the padded image");
}

TEST_CASE("volumes do not stay channels-last, because torch.export turns oneDNN off") {
  CHECK(inferred("aten.conv3d.default(f32[2, 4, 3, 3, 3][108, 1, 36, 12, 4], f32[2, 4, 1, 1, 1])") ==
        "f32[2, 2, 3, 3, 3]");
  CHECK(inferred("aten.conv3d.default(f32[2, 4, 3, 3, 3][108, 1, 36, 12, 4], f32[2, 4, 2, 2, 2])") ==
        "f32[2, 2, 2, 2, 2]");
}

TEST_CASE("an image is resized to a size or by factors") {
  CHECK(inferred("aten.upsample_nearest2d.vec(f32[2, 4, 5, 6], none, [2.0, 1.5])") == "f32[2, 4, 10, 9]");
  CHECK(inferred("aten.upsample_nearest2d.vec(f32[2, 4, 5, 6], [3, 7], none)") == "f32[2, 4, 3, 7]");
  CHECK(inferred("aten.upsample_bilinear2d.vec(f32[2, 4, 5, 6], none, false, [0.7, 2.0])") ==
        "f32[2, 4, 3, 12]");
  CHECK(inferred("aten.upsample_linear1d.vec(f32[2, 3, 5], [10], false, none)") == "f32[2, 3, 10]");
  CHECK(inferred("aten.upsample_nearest2d.default(f32[2, 4, 5, 6], [10, 12])") == "f32[2, 4, 10, 12]");
  CHECK(inferred("aten.upsample_nearest1d.vec(f32[2, 4, s0], none, [2.0])") == "f32[2, 4, 2*s0]");
}

TEST_CASE("a sample has the channels of the image and the size of the grid") {
  CHECK(inferred("aten.grid_sampler.default(f32[2, 4, 5, 6], f32[2, 3, 7, 2], 0, 0, false)") ==
        "f32[2, 4, 3, 7]");
  CHECK(inferred("aten.affine_grid_generator.default(f32[2, 2, 3], [2, 4, 3, 5], false)") ==
        "f32[2, 3, 5, 2]");
}

TEST_CASE("shuffled pixels move between channels and space") {
  CHECK(inferred("aten.pixel_shuffle.default(f32[2, 8, 3, 5], 2)") == "f32[2, 2, 6, 10]");
  CHECK(inferred("aten.pixel_unshuffle.default(f32[2, 2, 6, 10], 2)") == "f32[2, 8, 3, 5]");
  CHECK(inferred("aten.pixel_shuffle.default(f32[8, s0, s1], 2)") == "f32[2, 2*s0, 2*s1]");
}

TEST_CASE("pixels that the factor does not divide cannot be shuffled") {
  CHECK(inference_error("aten.pixel_shuffle.default(f32[2, 6, 3, 5], 2)") ==
        "channels: expected a multiple of 4, got 6");
  CHECK(inference_error("aten.pixel_unshuffle.default(f32[2, 2, 5, 10], 2)") ==
        "height: expected a multiple of 2, got 5");
  CHECK(inference_error("aten.pixel_unshuffle.default(f32[2, 2, 6, 9], 2)") ==
        "width: expected a multiple of 2, got 9");
  CHECK(inference_error("aten.pixel_shuffle.default(f32[2, 4, 3, 5], 0)") ==
        "expected a factor of 1 or more, got 0");
}

TEST_CASE("patches become columns, and columns images") {
  CHECK(inferred("aten.im2col.default(f32[2, 3, 5, 6], [2, 3], [1, 1], [1, 1], [2, 2])") == "f32[2, 18, 9]");
  CHECK(inferred("aten.col2im.default(f32[2, 12, 25], [6, 7], [2, 3], [1, 1], [0, 0], [1, 1])") ==
        "f32[2, 2, 6, 7]");
}

TEST_CASE("resized images with channels last stay so") {
  CHECK(inferred("aten.upsample_nearest2d.vec(f32[2, 4, 5, 6][120, 1, 24, 4], none, [2.0, 2.0])") ==
        "f32[2, 4, 10, 12][480, 1, 48, 4]");
}

TEST_CASE("a kernel fits into the padded image that is cut into columns") {
  CHECK(inference_error("aten.im2col.default(f32[1, 2, 3, 3], [4, 4], [1, 1], [0, 0], [1, 1])") ==
        "the kernel is larger than the padded image");
}
