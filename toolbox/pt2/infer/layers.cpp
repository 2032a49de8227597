#include "pt2/infer/rules.h"

#include "schemagen/base/counted.h"

namespace pt2 {
namespace {

ScalarType widened(ScalarType dtype) {
  return dtype == ScalarType::HALF || dtype == ScalarType::BFLOAT16 ? ScalarType::FLOAT : dtype;
}

/// On a CPU, statistics keep the input's dtype.
ScalarType statistics_dtype(const TensorType& input) {
  return input.device.type == "cpu" ? input.dtype : widened(input.dtype);
}

void require_parameters(const InferredCall& call, const Sizes& sizes) {
  for (const char* const name : {"weight", "bias", "running_mean", "running_var"}) {
    if (call.has(name)) require_sizes(call, name, call.tensor(name).sizes, sizes);
  }
}

void check_normalized(const InferredCall& call, const TensorType& input, const Sizes& normalized) {
  require_min_rank(input, normalized.size());
  const Sizes last = part(input.sizes, input.sizes.size() - normalized.size(), input.sizes.size());
  if (last != normalized) fail_shapes("expected a shape that ends in ", normalized, ", got ", input.sizes);
  require_parameters(call, normalized);
}

void require_channels(const InferredCall& call, const TensorType& input) {
  if (input.sizes.size() > 1) require_parameters(call, {input.sizes[1]});
}

/// The result and, of the functions that compute it, the mean and the reciprocal deviation, or only this.
Results layer_norm(const InferredCall& call, const TensorType& input) {
  const Sizes normalized = call.sizes("normalized_shape");
  check_normalized(call, input, normalized);
  const Sizes outer = but_last(input.sizes, normalized.size());
  const TensorType statistics =
      contiguous_like(input, statistics_dtype(input), concat(outer, Sizes(normalized.size(), 1)));
  Results results(call.op.returns.size(), statistics);
  results[0] = contiguous_like(input, input.sizes);
  return results;
}

Results group_norm(const InferredCall& call, const TensorType& input) {
  require_channels(call, input);
  Results results = {images_like(call, input, input.sizes)};
  if (call.op.returns.size() > 1) {
    results.resize(3, contiguous_like(input, {call.size("N"), call.size("group")}));
  }
  return results;
}

Results norm_except_dim(const InferredCall& call, const TensorType& v) {
  if (call.arguments.get_int("dim") == -1) return {contiguous_like(v, {})};
  const std::size_t dim = call.dim("dim", v.sizes.size());
  Sizes sizes(v.sizes.size(), 1);
  if (!sizes.empty()) sizes[dim] = v.sizes[dim];
  return {contiguous_like(v, std::move(sizes))};
}

/// The result, mean and reciprocal deviation, of which training alone fills the last two. The functional
/// variant also returns the running statistics.
Results native_batch_norm(const InferredCall& call, const TensorType& input) {
  require_min_rank(input, 2);
  require_channels(call, input);
  const bool is_training =
      call.declares("training") ? call.flag("training") : call.op.target.find("_no_") == std::string::npos;
  const Size count = is_training ? input.sizes[1] : Size(0);
  const TensorType statistics = contiguous_like(input, statistics_dtype(input), {count});
  Results results = {dense_like(input, input.dtype, call.hints), statistics, statistics};
  if (call.op.target.find("update") != std::string::npos) {
    results.emplace_back(contiguous_like(input, ScalarType::BYTE, {Size(0)}));  // what cuDNN reserves
  }
  if (call.op.returns.size() > 4) {
    for (const char* name : {"running_mean", "running_var"}) {
      const TensorType before = call.tensor(name);
      results.emplace_back(contiguous_like(before, widened(before.dtype), before.sizes));
    }
  }
  return results;
}

/// Checks the parameters.
Results normalized_channels(const InferredCall& call, const TensorType& input) {
  require_channels(call, input);
  return described(call);
}

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
    fail_shapes("params: expected ", schemagen::counted(of_layer, "tensor"), " for each of ", layers,
                layers == 1 ? " layer" : " layers", ", got ", weights.size());
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
  if (states.size() != kinds)
    fail_shapes("hx: expected ", schemagen::counted(kinds, "tensor"), ", got ", states.size());
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

NamedRules layer_rules() {
  return {
      {normalized_channels, "dense _", "batch_norm"},
      {normalized_channels, "contiguous _", "instance_norm"},
      {group_norm, "group_norm native_group_norm"},
      {described, "contiguous v", "_weight_norm"},
      {described, "dense v, optional g", "_weight_norm_interface"},
      {norm_except_dim, "norm_except_dim"},
      {layer_norm, "layer_norm rms_norm _fused_rms_norm native_layer_norm"},
      {native_batch_norm,
       "native_batch_norm _native_batch_norm_legit _native_batch_norm_legit_no_training "
       "_native_batch_norm_legit_functional _batch_norm_with_update _batch_norm_with_update_functional "
       "_batch_norm_no_update"},
      {layers, "lstm gru rnn_tanh rnn_relu"},
      {cell, "lstm_cell gru_cell rnn_tanh_cell rnn_relu_cell"},
  };
}

}  // namespace pt2
