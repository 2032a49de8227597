#include <catch2/catch.hpp>

#include "inferred_call.h"

TEST_CASE("a loss is a scalar, or has the shape of its operands if it is not reduced") {
  CHECK(inferred("aten.mse_loss.default(f32[2, 3], f32[2, 3])") == "f32[]");
  CHECK(inferred("aten.mse_loss.default(f32[2, 3], f32[3], 0)") == "f32[2, 3]");
  CHECK(inferred("aten.huber_loss.default(f16[2, 3], f16[2, 3], 2)") == "f16[]");
  CHECK(inferred("aten.kl_div.default(f32[2, 3], f32[2, 3], 0)") == "f32[2, 3]");
  CHECK(inferred("aten.binary_cross_entropy_with_logits.default(f32[s0, 3], f32[s0, 3], none, none, 0)") ==
        "f32[s0, 3]");
}

TEST_CASE("a loss over classes has no dim of classes") {
  CHECK(inferred("aten.cross_entropy_loss.default(f32[2, 5], i64[2])") == "f32[]");
  CHECK(inferred("aten.cross_entropy_loss.default(f32[2, 5, 7], i64[2, 7], none, 0)") == "f32[2, 7]");
  CHECK(inferred("aten.nll_loss_nd.default(f32[2, 5], i64[2], none, 0)") == "f32[2]");
}

TEST_CASE("distances of rows drop the dim that they measure") {
  CHECK(inferred("aten.cosine_similarity.default(f32[2, 3], f32[2, 3])") == "f32[2]");
  CHECK(inferred("aten.pairwise_distance.default(f32[2, 3], f32[2, 3], 2.0, 0.000001, true)") == "f32[2, 1]");
  CHECK(inferred("aten.dist.default(f32[2, 3], f32[2, 3])") == "f32[]");
  CHECK(inferred("aten.triplet_margin_loss.default(f32[2, 3], f32[2, 3], f32[2, 3])") == "f32[]");
}

TEST_CASE("operands of different shapes are an error") {
  CHECK(inference_error("aten.mse_loss.default(f32[2], f32[3])") == "cannot broadcast shapes [2] and [3]");
}

TEST_CASE("distances of complex numbers are real") {
  CHECK(inferred("aten.dist.default(c64[3], c64[3])") == "f32[]");
  CHECK(inferred("aten.pairwise_distance.default(c64[2, 3], c64[2, 3])") == "f32[2]");
  CHECK(inferred("aten.l1_loss.default(f64[3], c64[3], 0)") == "f64[3]");
  CHECK(inferred("aten.margin_ranking_loss.default(i64[3], i64[2, 1], i64[3], 0, 0)") == "f32[2, 3]");
  CHECK(inferred("aten.triplet_margin_loss.default(f32[2, 3], f32[2, 3], f32[2, 3])") == "f32[]");
}
