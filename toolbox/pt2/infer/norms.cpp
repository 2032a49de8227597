// Results of norms of batches, layers and groups.
#include "pt2/infer/rules.h"

#include <utility>

#include "schemagen/base/error.h"

namespace pt2 {
namespace {

/// Means and the like are float32 at least, but on a CPU.
ScalarType statistics_dtype(const TensorType& input) {
  const bool is_half = input.dtype == ScalarType::HALF || input.dtype == ScalarType::BFLOAT16;
  return is_half && input.device.type != "cpu" ? ScalarType::FLOAT : input.dtype;
}

std::vector<ValueType> like_input(const InferredCall& call) {
  const TensorType input = call.tensor("input");
  return {dense_like(input, input.dtype, call.hints)};
}

std::vector<ValueType> like_input_contiguous(const InferredCall& call) {
  const TensorType input = call.tensor("input");
  return {contiguous_like(input, input.sizes)};
}

void check_normalized(const TensorType& input, const std::vector<Size>& normalized) {
  require(normalized.size() <= input.sizes.size(), "more dims are normalized than there are");
  const std::vector<Size> last(input.sizes.end() - static_cast<std::ptrdiff_t>(normalized.size()),
                               input.sizes.end());
  if (last == normalized) return;
  throw schemagen::DataError("the input " + sizes_text(input.sizes) +
                             " does not end in the normalized shape " + sizes_text(normalized));
}

std::vector<ValueType> layer_norm(const InferredCall& call) {
  check_normalized(call.tensor("input"), call.sizes("normalized_shape"));
  return like_input_contiguous(call);
}

std::vector<ValueType> native_layer_norm(const InferredCall& call) {
  const TensorType input = call.tensor("input");
  const std::vector<Size> normalized = call.sizes("normalized_shape");
  check_normalized(input, normalized);
  std::vector<Size> sizes = input.sizes;
  for (std::size_t i = sizes.size() - normalized.size(); i < sizes.size(); ++i) sizes[i] = 1;
  const TensorType statistics = contiguous_like(input, statistics_dtype(input), std::move(sizes));
  return {contiguous_like(input, input.sizes), statistics, statistics};
}

/// The result, and one over the root of the mean square.
std::vector<ValueType> fused_rms_norm(const InferredCall& call) {
  std::vector<ValueType> results = native_layer_norm(call);
  results.pop_back();
  return results;
}

std::vector<ValueType> native_group_norm(const InferredCall& call) {
  const TensorType input = call.tensor("input");
  const TensorType statistics = contiguous_like(input, {call.size("N"), call.size("group")});
  return {contiguous_like(input, input.sizes), statistics, statistics};
}

/// The result, the mean and one over the deviation, which only training has; then what the functional ones
/// return instead of writing to it.
std::vector<ValueType> native_batch_norm(const InferredCall& call) {
  const TensorType input = call.tensor("input");
  require(input.sizes.size() >= 2, "the input of a batch norm has two dims at least");
  const bool is_training = call.declares("training")
                               ? call.flag("training")
                               : call.op.target.find("no_training") == std::string::npos;
  const Size count = is_training ? input.sizes[1] : Size(0);
  const TensorType statistics = contiguous_like(input, statistics_dtype(input), {count});
  std::vector<ValueType> results = {dense_like(input, input.dtype, call.hints), statistics, statistics};
  if (call.op.returns.size() == 5) {
    for (const char* name : {"running_mean", "running_var"}) {
      const TensorType before = call.tensor(name);
      const bool is_half = before.dtype == ScalarType::HALF || before.dtype == ScalarType::BFLOAT16;
      results.emplace_back(contiguous_like(before, is_half ? ScalarType::FLOAT : before.dtype, before.sizes));
    }
  }
  return results;
}

}  // namespace

const NamedRules& norm_rules() {
  static const NamedRules rules = {{"batch_norm", like_input},
                                   {"instance_norm", like_input_contiguous},
                                   {"group_norm", like_input_contiguous},
                                   {"layer_norm", layer_norm},
                                   {"rms_norm", layer_norm},
                                   {"_fused_rms_norm", fused_rms_norm},
                                   {"native_layer_norm", native_layer_norm},
                                   {"native_group_norm", native_group_norm},
                                   {"native_batch_norm", native_batch_norm},
                                   {"_native_batch_norm_legit", native_batch_norm},
                                   {"_native_batch_norm_legit_no_training", native_batch_norm},
                                   {"_native_batch_norm_legit_functional", native_batch_norm}};
  return rules;
}

}  // namespace pt2
