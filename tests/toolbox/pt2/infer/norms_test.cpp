#include <catch2/catch.hpp>

#include "inferred_call.h"

TEST_CASE("normalized tensors keep their shape and dtype") {
  CHECK(inferred("aten.layer_norm.default(f16[2, 5, 3], [3])") == "f16[2, 5, 3]");
  CHECK(inferred("aten.batch_norm.default(f32[2, 4, 5], f32[4], f32[4], f32[4], f32[4], false, 0.1, 0.00001, "
                 "true)") == "f32[2, 4, 5]");
  CHECK(inferred("aten.group_norm.default(bf16[2, 4, 5], 2)") == "bf16[2, 4, 5]");
  CHECK(inferred("aten.rms_norm.default(f32[2, 3], [3])") == "f32[2, 3]");
  CHECK(inferred(
            "aten.instance_norm.default(f32[2, 4, 5], none, none, none, none, true, 0.1, 0.00001, true)") ==
        "f32[2, 4, 5]");
}

TEST_CASE("statistics of layers have the dims that are not normalized, as 1 or not at all") {
  CHECK(inferred("aten.native_layer_norm.default(f32[2, 5, 3], [5, 3], none, none, 0.00001)") ==
        "f32[2, 5, 3], f32[2, 1, 1], f32[2, 1, 1]");
  CHECK(inferred("aten.native_layer_norm.default(f32[s0, 5, 3], [3], none, none, 0.00001)") ==
        "f32[s0, 5, 3], f32[s0, 5, 1], f32[s0, 5, 1]");
  CHECK(inferred("aten.native_group_norm.default(f32[2, 4, 5], none, none, 2, 4, 5, 2, 0.00001)") ==
        "f32[2, 4, 5], f32[2, 2], f32[2, 2]");
}

TEST_CASE("statistics of batches have one number per channel, and none outside of training") {
  CHECK(inferred("aten._native_batch_norm_legit_no_training.default(f32[2, 4, 5], f32[4], f32[4], f32[4], "
                 "f32[4], 0.1, 0.00001)") == "f32[2, 4, 5], f32[0], f32[0]");
  CHECK(inferred("aten.native_batch_norm.default(f32[2, 4, 5], f32[4], f32[4], f32[4], f32[4], true, 0.1, "
                 "0.00001)") == "f32[2, 4, 5], f32[4], f32[4]");
  CHECK(inferred("aten._native_batch_norm_legit_functional.default(f32[2, 4, 5], none, none, f32[4], f32[4], "
                 "true, 0.1, 0.00001)") == "f32[2, 4, 5], f32[4], f32[4], f32[4], f32[4]");
}

TEST_CASE("normalized dims that the tensor lacks are an error") {
  CHECK(inference_error("aten.layer_norm.default(f32[2, 3], [4])") ==
        "expected a shape that ends in [4], got [2, 3]");
  CHECK(inference_error("aten.native_layer_norm.default(f32[3], [2, 3], none, none, 0.00001)") ==
        "expected a tensor of rank 2 or more, got shape [3]");
}

TEST_CASE("images stay channels-last in group_norm") {
  CHECK(inferred("aten.group_norm.default(f32[2, 4, 3, 3][36, 1, 12, 4], 2)") ==
        "f32[2, 4, 3, 3][36, 1, 12, 4]");
  CHECK(inferred("aten._weight_norm.default(f32[4, 3], f32[4, 1])") == "f32[4, 3]");
}

TEST_CASE("parameters of another size than the channels are an error") {
  CHECK(inference_error("aten.batch_norm.default(f32[2, 4, 3, 3], f32[4], f32[4], f32[5], f32[4], false, "
                        "0.1, 0.00001, true)") == "running_mean: expected shape [4], got [5]");
  CHECK(inference_error("aten.native_batch_norm.default(f32[2, 4, 3, 3], f32[3], f32[4], f32[4], f32[4], "
                        "true, 0.1, 0.00001)") == "weight: expected shape [4], got [3]");
  CHECK(inference_error("aten.group_norm.default(f32[2, 4, 3, 3], 2, f32[4], f32[2])") ==
        "bias: expected shape [4], got [2]");
  CHECK(inference_error("aten.layer_norm.default(f32[2, 3], [3], f32[4], f32[3])") ==
        "weight: expected shape [3], got [4]");
}
