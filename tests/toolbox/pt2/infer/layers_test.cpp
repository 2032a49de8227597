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

TEST_CASE("a layer returns its outputs and its last states") {
  CHECK(inferred("aten.gru.input(f32[2, 3, 4], f32[1, 3, 6], [f32[18, 4], f32[18, 6], f32[18], f32[18]], "
                 "true, 1, 0.0, false, false, false)") == "f32[2, 3, 6], f32[1, 3, 6]");
  CHECK(inferred("aten.gru.input(f32[2, 3, 4], f32[1, 2, 6], [f32[18, 4], f32[18, 6], f32[18], f32[18]], "
                 "true, 1, 0.0, false, false, true)") == "f32[2, 3, 6][6, 12, 1], f32[1, 2, 6]");
  CHECK(inferred("aten.lstm.input(f32[2, 3, 4], [f32[1, 3, 6], f32[1, 3, 6]], [f32[24, 4], f32[24, 6], "
                 "f32[24], f32[24]], true, 1, 0.0, false, false, false)") ==
        "f32[2, 3, 6], f32[1, 3, 6], f32[1, 3, 6]");
  CHECK(inferred("aten.rnn_tanh.input(f32[2, 3, 4], f32[1, 3, 6], [f32[6, 4], f32[6, 6], f32[6], f32[6]], "
                 "true, 1, 0.0, false, false, false)") == "f32[2, 3, 6], f32[1, 3, 6]");
}

TEST_CASE("both directions double the width of the outputs") {
  CHECK(inferred("aten.gru.input(f32[2, 3, 4], f32[2, 3, 6], [f32[18, 4], f32[18, 6], f32[18], f32[18], "
                 "f32[18, 4], f32[18, 6], f32[18], f32[18]], true, 1, 0.0, false, true, false)") ==
        "f32[2, 3, 12], f32[2, 3, 6]");
}

TEST_CASE("a cell returns the next state, and an LSTM cell also its memory") {
  CHECK(inferred("aten.gru_cell.default(f32[3, 4], f32[3, 6], f32[18, 4], f32[18, 6])") == "f32[3, 6]");
  CHECK(inferred("aten.lstm_cell.default(f32[3, 4], [f32[3, 6], f32[3, 6]], f32[24, 4], f32[24, 6])") ==
        "f32[3, 6], f32[3, 6]");
  CHECK(inferred("aten.rnn_relu_cell.default(f32[s0, 4], f32[s0, 6], f32[6, 4], f32[6, 6])") == "f32[s0, 6]");
}

TEST_CASE("operands of another rank are an error") {
  CHECK(inference_error("aten.gru.input(f32[4], f32[1, 3, 6], [f32[18, 4], f32[18, 6], f32[18], f32[18]], "
                        "true, 1, 0.0, false, false, false)") ==
        "expected a tensor of rank 3, got shape [4]");
}

TEST_CASE("sizes of a layer's states and weights must agree with its input") {
  CHECK(inference_error("aten.gru.input(f32[2, 64, 4], f32[1, 1, 6], [f32[18, 4], f32[18, 6], f32[18], "
                        "f32[18]], true, 1, 0.0, false, false, false)") ==
        "hx: expected shape [1, 64, 6], got [1, 1, 6]");
  CHECK(inference_error("aten.gru.input(f32[64, 2, 4], f32[1, 3, 6], [f32[18, 4], f32[18, 6], f32[18], "
                        "f32[18]], true, 1, 0.0, false, false, true)") ==
        "hx: expected shape [1, 64, 6], got [1, 3, 6]");
  CHECK(inference_error("aten.gru.input(f32[2, s0, 4], f32[1, 3, 6], [f32[18, 4], f32[18, 6], f32[18], "
                        "f32[18]], true, 1, 0.0, false, false, false)") ==
        "hx: expected shape [1, s0, 6], got [1, 3, 6]");
  CHECK(inference_error("aten.gru.input(f32[2, 3, 4], f32[2, 3, 6], [f32[18, 4], f32[18, 6], f32[18], "
                        "f32[18]], true, 1, 0.0, false, false, false)") ==
        "hx: expected shape [1, 3, 6], got [2, 3, 6]");
  CHECK(inference_error("aten.gru.input(f32[2, 3, 4], f32[3, 6], [f32[18, 4], f32[18, 6], f32[18], f32[18]], "
                        "true, 1, 0.0, false, false, false)") ==
        "expected a tensor of rank 3, got shape [3, 6]");
  CHECK(inference_error("aten.gru.input(f32[2, 3, 5], f32[1, 3, 6], [f32[18, 4], f32[18, 6], f32[18], "
                        "f32[18]], true, 1, 0.0, false, false, false)") ==
        "weight_ih: expected shape [18, 5], got [18, 4]");
  CHECK(inference_error("aten.gru.input(f32[2, 3, 4], f32[1, 3, 5], [f32[18, 4], f32[18, 6], f32[18], "
                        "f32[18]], true, 1, 0.0, false, false, false)") ==
        "weight_ih: expected shape [15, 4], got [18, 4]");
  // torch broadcasts the input of a GRU. An LSTM reads and writes outside its tensors.
  CHECK(inferred("aten.gru.input(f32[2, 1, 4], f32[1, 3, 6], [f32[18, 4], f32[18, 6], f32[18], f32[18]], "
                 "true, 1, 0.0, false, false, false)") == "f32[2, 3, 6], f32[1, 3, 6]");
  const auto lstm = [](const std::string& states, const std::string& params, const std::string& rest) {
    return inference_error("aten.lstm.input(f32[2, 1, 4], " + states + ", " + params + ", true, " + rest +
                           ")");
  };
  const std::string of_one = "f32[24, 4], f32[24, 6], f32[24], f32[24]";
  CHECK(lstm("[f32[1, 3, 6], f32[1, 3, 6]]", "[" + of_one + "]", "1, 0.0, false, false, false") ==
        "hx: expected shape [1, 1, 6], got [1, 3, 6]");
  CHECK(lstm("[f32[1, 1, 6], f32[1, 3, 6]]", "[" + of_one + "]", "1, 0.0, false, false, false") ==
        "hx: expected shape [1, 1, 6], got [1, 3, 6]");
  CHECK(lstm("[f32[1, 1, 6]]", "[" + of_one + "]", "1, 0.0, false, false, false") ==
        "hx: expected 2 tensors, got 1");
  CHECK(lstm("[f32[2, 1, 6], f32[2, 1, 6]]", "[" + of_one + "]", "1, 0.0, false, true, false") ==
        "params: expected 8 tensors for each of 1 layer, got 4");
  CHECK(lstm("[f32[2, 1, 6], f32[2, 1, 6]]", "[" + of_one + ", " + of_one + "]",
             "2, 0.0, false, false, false") == "weight_ih: expected shape [24, 6], got [24, 4]");
}

TEST_CASE("a projection narrows the outputs of an LSTM and the first of its states") {
  CHECK(inferred("aten.lstm.input(f32[2, 3, 4], [f32[1, 3, 5], f32[1, 3, 6]], [f32[24, 4], f32[24, 5], "
                 "f32[24], f32[24], f32[5, 6]], true, 1, 0.0, false, false, false)") ==
        "f32[2, 3, 5], f32[1, 3, 5], f32[1, 3, 6]");
}

TEST_CASE("sizes of a cell's states and weights must agree with its input") {
  CHECK(inference_error("aten.gru_cell.default(f32[64, 4], f32[3, 6], f32[18, 4], f32[18, 6])") ==
        "hx: expected shape [64, 6], got [3, 6]");
  CHECK(inference_error("aten.lstm_cell.default(f32[3, 4], [f32[3, 6], f32[1, 6]], f32[24, 4], "
                        "f32[24, 6])") == "hx: expected shape [3, 6], got [1, 6]");
  CHECK(inference_error("aten.rnn_tanh_cell.default(f32[3, 5], f32[3, 6], f32[6, 4], f32[6, 6])") ==
        "w_ih: expected shape [6, 5], got [6, 4]");
}
