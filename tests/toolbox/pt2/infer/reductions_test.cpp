#include <catch2/catch.hpp>

#include "inferred_call.h"

TEST_CASE("a sum of integers is an i64, and of floats a float") {
  CHECK(inferred("aten.sum.default(i32[2, 3])") == "i64[]");
  CHECK(inferred("aten.sum.dim_IntList(f16[2, 3], [1])") == "f16[2]");
  CHECK(inferred("aten.sum.dim_IntList(bool[2, 3], [0], true)") == "i64[1, 3]");
  CHECK(inferred("aten.sum.dim_IntList(f32[2, 3], [1], dtype=f64)") == "f64[2]");
  CHECK(inferred("aten.prod.dim_int(u8[2, 3], 1)") == "i64[2]");
}

TEST_CASE("no dims mean all dims") {
  CHECK(inferred("aten.sum.dim_IntList(f32[2, 3], [])") == "f32[]");
  CHECK(inferred("aten.mean.dim(f32[2, 3], none)") == "f32[]");
  CHECK(inferred("aten.amax.default(f32[2, 3], [])") == "f32[]");
  CHECK(inferred("aten.sum.dim_IntList(f32[2, 3], none, true)") == "f32[1, 1]");
}

TEST_CASE("more elements than there are cannot be the largest") {
  CHECK(inference_error("aten.kthvalue.default(f32[2, 3], 4)") == "k: expected 3 or less, got 4");
  CHECK(inference_error("aten.kthvalue.default(f32[], 2)") == "k: expected 1 or less, got 2");
  CHECK(inferred("aten.topk.default(f32[], 1)") == "f32[], i64[]");
  CHECK(inference_error("aten.topk.default(f32[2, 9], 10)") == "k: expected 9 or less, got 10");
  CHECK(inference_error("aten.topk.default(f32[2, 9], 3, 0)") == "k: expected 2 or less, got 3");
  CHECK(inference_error("aten.topk.default(f32[], 2)") == "k: expected 1 or less, got 2");
}

TEST_CASE("extremes come with the index") {
  CHECK(inferred("aten.max.dim(f16[2, 3], 1)") == "f16[2], i64[2]");
  CHECK(inferred("aten.min.default(f32[2, 3])") == "f32[]");
  CHECK(inferred("aten.median.dim(f32[2, 3], 0, true)") == "f32[1, 3], i64[1, 3]");
  CHECK(inferred("aten.aminmax.default(f32[2, 3], dim=1)") == "f32[2], f32[2]");
  CHECK(inferred("aten.argmax.default(f32[2, 3], 1)") == "i64[2]");
  CHECK(inferred("aten.topk.default(f32[2, 9], 4)") == "f32[2, 4], i64[2, 4]");
  CHECK(inferred("aten.sort.default(f32[2, 3][1, 2], 0)") == "f32[2, 3][1, 2], i64[2, 3][1, 2]");
  CHECK(inferred("aten.kthvalue.default(f32[2, 3], 1)") == "f32[2], i64[2]");
}

TEST_CASE("variances and norms of complex numbers are real") {
  CHECK(inferred("aten.var.correction(c64[2, 3], [1])") == "f32[2]");
  CHECK(inferred("aten.var_mean.correction(f32[2, 3], [0], keepdim=true)") == "f32[1, 3], f32[1, 3]");
  CHECK(inferred("aten.linalg_vector_norm.default(c64[2, 3], 2, [1])") == "f32[2]");
  CHECK(inferred("aten.linalg_vector_norm.default(f32[2, 3], 2, [1], dtype=f64)") == "f64[2]");
}

TEST_CASE("whether any or all are true is a bool, and for u8 a u8") {
  CHECK(inferred("aten.any.dim(f32[2, 3], 1)") == "bool[2]");
  CHECK(inferred("aten.all.default(i64[2, 3])") == "bool[]");
  CHECK(inferred("aten.any.default(u8[3])") == "u8[]");
}

TEST_CASE("what runs along a dim keeps the shape") {
  CHECK(inferred("aten.cumsum.default(i32[2, 3], 0)") == "i64[2, 3]");
  CHECK(inferred("aten.cumsum.default(bool[3], 0, dtype=f32)") == "f32[3]");
  CHECK(inferred("aten.softmax.int(f32[2, 3][1, 2], 1)") == "f32[2, 3]");
  CHECK(inferred("aten._softmax.default(f16[s0, 3], 1, false)") == "f16[s0, 3]");
  CHECK(inferred("aten.cummax.default(f32[2, 3], 0)") == "f32[2, 3], i64[2, 3]");
  CHECK(inferred("aten.logcumsumexp.default(f32[2, 3], 0)") == "f32[2, 3]");
}

TEST_CASE("reduced symbolic dims disappear") {
  CHECK(inferred("aten.sum.dim_IntList(f32[s0, 3, s1], [0, 1])") == "f32[s1]");
  CHECK(inferred("aten.logsumexp.default(f32[s0, s1], [1], true)") == "f32[s0, 1]");
  CHECK(inferred("aten.quantile.scalar(f32[s0, 3], 0.5, 0)") == "f32[3]");
}

TEST_CASE("a dim out of range is an error") {
  CHECK(inference_error("aten.sum.dim_IntList(f32[2, 3], [2])") == "dim 2 is out of range for rank 2");
  CHECK(inference_error("aten.argmax.default(f32[2, 3], -3)") == "dim -3 is out of range for rank 2");
}

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

TEST_CASE("a histogram of many dims needs the last dim for them") {
  CHECK(inference_error("aten.histogramdd.int_bins(f32[], 3)") ==
        "expected a tensor of rank 1 or more, got shape []");
}
