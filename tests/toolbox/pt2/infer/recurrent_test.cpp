#include <catch2/catch.hpp>

#include "inferred_call.h"

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
