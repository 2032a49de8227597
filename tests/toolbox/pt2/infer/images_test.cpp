#include <catch2/catch.hpp>

#include "inferred_call.h"

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
