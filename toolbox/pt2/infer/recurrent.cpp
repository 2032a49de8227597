#include "pt2/infer/rules.h"

#include <utility>

#include "schemagen/base/counted.h"

namespace pt2 {
namespace {

std::vector<TensorType> last_states(const InferredCall& call) {
  std::vector<TensorType> states =
      call.op.arguments[call.declares("batch_sizes") ? 2 : 1].type.kind == OperatorTypeKind::list
          ? call.tensors("hx")
          : std::vector<TensorType>{call.tensor("hx")};
  for (TensorType& state : states) state = contiguous_like(state, state.sizes);
  return states;
}

std::size_t gates(const InferredCall& call) {
  if (call.op.target.find(".lstm") != std::string::npos) return 4;
  return call.op.target.find(".gru") != std::string::npos ? 3 : 1;
}

/// torch broadcasts a bias.
void require_bias(const InferredCall& call, const TensorType& bias, const Size& count) {
  if (bias.sizes != Sizes{1}) require_sizes(call, "bias", bias.sizes, {count});
}

/// The weights of each layer and direction: of the input, of the state, their biases, of the projection.
void require_weights(const InferredCall& call, const Size& inputs, const Size& hidden, const Size& state,
                     bool is_projected) {
  const std::vector<TensorType> weights = call.tensors("params");
  const std::size_t directions = call.flag("bidirectional") ? 2 : 1;
  const std::size_t biases = call.flag("has_biases") ? 2 : 0;
  const std::size_t of_each = 2 + biases + (is_projected ? 1 : 0);
  const std::int64_t layers = call.arguments.get_int("num_layers");
  const std::size_t of_layer = of_each * directions;
  if (layers < 1 || weights.size() % of_layer != 0 ||
      weights.size() / of_layer != static_cast<std::uint64_t>(layers)) {
    fail_shapes("params: expected " + schemagen::counted(of_layer, "tensor") + " for each of " +
                std::to_string(layers) + (layers == 1 ? " layer" : " layers") + ", got " +
                std::to_string(weights.size()));
  }
  const Size rows = hidden * Size(static_cast<std::int64_t>(gates(call)));
  const Size outputs = state * Size(static_cast<std::int64_t>(directions));
  for (std::size_t at = 0; at < weights.size(); at += of_each) {
    require_sizes(call, "weight_ih", weights[at].sizes, {rows, at < of_layer ? inputs : outputs});
    require_sizes(call, "weight_hh", weights[at + 1].sizes, {rows, state});
    for (std::size_t i = 0; i < biases; ++i) require_bias(call, weights[at + 2 + i], rows);
    if (is_projected) require_sizes(call, "weight_hr", weights[at + 2 + biases].sizes, {state, hidden});
  }
}

Results layers(const InferredCall& call, const TensorType& input) {
  const std::vector<TensorType> states = last_states(call);
  const std::size_t kinds = gates(call) == 4 ? 2 : 1;
  if (states.size() != kinds) {
    fail_shapes("hx: expected " + schemagen::counted(kinds, "tensor") + ", got " +
                std::to_string(states.size()));
  }
  for (const TensorType& state : states) require_rank(state, 3);
  const bool is_packed = call.declares("batch_sizes");
  require_rank(input, is_packed ? 2 : 3);
  const std::int64_t directions = call.flag("bidirectional") ? 2 : 1;
  const Size& width = states.front().sizes.back();
  const Size& hidden = states.back().sizes.back();
  Sizes sizes = input.sizes;
  sizes.back() = width * Size(directions);
  Size batch = states.front().sizes[1];
  if (!is_packed) {
    Size& given = sizes[call.flag("batch_first") ? 0 : 1];
    if (given.is(1) && states.size() == 1) given = batch;  // torch broadcasts the input
    batch = given;
  }
  for (const TensorType& state : states) {
    require_sizes(call, "hx", state.sizes,
                  {Size(directions) * Size(call.arguments.get_int("num_layers")), batch, state.sizes.back()});
  }
  require_weights(call, input.sizes.back(), hidden, width, width != hidden);
  TensorType output = contiguous_like(input, sizes);
  if (call.flag("batch_first")) {  // in memory, steps still come first
    output = contiguous_like(input, {sizes[1], sizes[0], sizes[2]});
    swap_dims(output, 0, 1);
  }
  Results results = {output};
  for (const TensorType& state : states) {
    // torch 2.5 records the states of its decomposition, which have one dim more.
    const Sizes stacked = replaced(state.sizes, 1, 0, {1});
    const auto recorded = call.recorded(stacked.size(), results.size());
    results.emplace_back(recorded && recorded->sizes == stacked ? *recorded : state);
  }
  return results;
}

Results cell(const InferredCall& call, const TensorType& input) {
  require_rank(input, 2);
  Results results;
  for (TensorType& state : last_states(call)) {
    require_rank(state, 2);
    const Size& hidden = state.sizes[1];
    const Size rows = hidden * Size(static_cast<std::int64_t>(gates(call)));
    require_sizes(call, "hx", state.sizes, {input.sizes[0], hidden});
    require_sizes(call, "w_ih", call.tensor("w_ih").sizes, {rows, input.sizes[1]});
    require_sizes(call, "w_hh", call.tensor("w_hh").sizes, {rows, hidden});
    for (const char* const bias : {"b_ih", "b_hh"}) {
      if (call.has(bias)) require_bias(call, call.tensor(bias), rows);
    }
    results.emplace_back(std::move(state));
  }
  return results;
}

}  // namespace

NamedRules recurrent_rules() {
  return {
      {layers, "lstm gru rnn_tanh rnn_relu"},
      {cell, "lstm_cell gru_cell rnn_tanh_cell rnn_relu_cell"},
  };
}

}  // namespace pt2
