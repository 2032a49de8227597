#include "pt2/infer/rules.h"

#include <utility>

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

std::vector<ValueType> layers(const InferredCall& call) {
  const std::vector<TensorType> states = last_states(call);
  require(!states.empty(), "expected an initial state in 'hx'");
  require_min_rank(states.front(), 1);
  const bool is_packed = call.declares("batch_sizes");
  const TensorType input = is_packed ? call.tensor("data", 2) : call.tensor("input", 3);
  std::vector<Size> sizes = input.sizes;
  sizes.back() = states.front().sizes.back() * Size(call.flag("bidirectional") ? 2 : 1);
  TensorType output = contiguous_like(input, sizes);
  if (call.flag("batch_first")) {  // in memory, steps still come first
    output = contiguous_like(input, {sizes[1], sizes[0], sizes[2]});
    std::swap(output.sizes[0], output.sizes[1]);
    std::swap(output.strides[0], output.strides[1]);
  }
  std::vector<ValueType> results = {output};
  for (const TensorType& state : states) {
    // torch 2.5 records the states of its decomposition, which have one dim more.
    std::vector<Size> stacked = state.sizes;
    stacked.insert(stacked.begin() + (stacked.size() > 1 ? 1 : 0), Size(1));
    const auto recorded = call.recorded(stacked.size(), results.size());
    results.emplace_back(recorded && recorded->sizes == stacked ? *recorded : state);
  }
  return results;
}

std::vector<ValueType> cell(const InferredCall& call) {
  std::vector<ValueType> results;
  for (TensorType& state : last_states(call)) results.emplace_back(std::move(state));
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
