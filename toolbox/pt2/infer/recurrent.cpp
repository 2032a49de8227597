// Results of recurrent layers and their cells.
#include "pt2/infer/rules.h"

#include <utility>

namespace pt2 {
namespace {

/// The states after the last step, as they were before the first.
std::vector<TensorType> last_states(const InferredCall& call) {
  std::vector<TensorType> states =
      call.op.arguments[call.declares("batch_sizes") ? 2 : 1].type.kind == OperatorTypeKind::list
          ? call.tensors("hx")
          : std::vector<TensorType>{call.tensor("hx")};
  for (TensorType& state : states) state = contiguous_like(state, state.sizes);
  return states;
}

/// Of each step the state of the last layer, and of all layers the states after the last step.
std::vector<ValueType> layers(const InferredCall& call) {
  const std::vector<TensorType> states = last_states(call);
  require(!states.empty() && !states.front().sizes.empty(), "a recurrent layer has a state");
  const bool is_packed = call.declares("batch_sizes");
  const TensorType input = call.tensor(is_packed ? "data" : "input");
  require(input.sizes.size() == (is_packed ? 2 : 3), "a recurrent layer takes steps of a batch");
  std::vector<Size> sizes = input.sizes;
  sizes.back() = states.front().sizes.back() * Size(call.flag("bidirectional") ? 2 : 1);
  TensorType output = contiguous_like(input, sizes);
  if (call.flag("batch_first")) {  // it is computed step by step
    output = contiguous_like(input, {sizes[1], sizes[0], sizes[2]});
    std::swap(output.sizes[0], output.sizes[1]);
    std::swap(output.strides[0], output.strides[1]);
  }
  std::vector<ValueType> results = {output};
  for (const TensorType& state : states) results.emplace_back(state);
  return results;
}

std::vector<ValueType> cell(const InferredCall& call) {
  std::vector<ValueType> results;
  for (TensorType& state : last_states(call)) results.emplace_back(std::move(state));
  return results;
}

}  // namespace

const NamedRules& recurrent_rules() {
  static const NamedRules rules = {{"lstm", layers},        {"gru", layers},        {"rnn_tanh", layers},
                                   {"rnn_relu", layers},    {"lstm_cell", cell},    {"gru_cell", cell},
                                   {"rnn_tanh_cell", cell}, {"rnn_relu_cell", cell}};
  return rules;
}

}  // namespace pt2
