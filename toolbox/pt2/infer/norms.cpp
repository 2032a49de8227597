#include "pt2/infer/rules.h"

#include <utility>

#include "schemagen/base/error.h"

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
  if (last != normalized) {
    fail_shapes("expected a shape that ends in " + sizes_text(normalized) + ", got " +
                sizes_text(input.sizes));
  }
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

}  // namespace

NamedRules norm_rules() {
  return {
      {normalized_channels, "batch_norm", "dense _"},
      {normalized_channels, "instance_norm", "contiguous _"},
      {group_norm, "group_norm native_group_norm"},
      {described, "_weight_norm", "contiguous v"},
      {described, "_weight_norm_interface", "dense v, optional g"},
      {norm_except_dim, "norm_except_dim"},
      {layer_norm, "layer_norm rms_norm _fused_rms_norm native_layer_norm"},
      {native_batch_norm,
       "native_batch_norm _native_batch_norm_legit _native_batch_norm_legit_no_training "
       "_native_batch_norm_legit_functional _batch_norm_with_update _batch_norm_with_update_functional "
       "_batch_norm_no_update"},
  };
}

}  // namespace pt2
