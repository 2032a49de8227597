// Source: einsum() and sumproduct_pair() in aten/src/ATen/native/Linear.cpp.
#include "pt2/infer/rules.h"

#include <algorithm>
#include <utility>

#include "pt2/nodes/einsum_equation.h"

namespace pt2 {
namespace {

TensorType arranged(const TensorType& tensor, const std::string& labels, const std::string& order) {
  TensorType result = tensor;
  result.sizes.assign(order.size(), Size(1));
  result.strides.assign(order.size(), Size(0));
  for (std::size_t dim = 0; dim < labels.size(); ++dim) {
    const std::size_t at = order.find(labels[dim]);
    result.sizes[at] = tensor.sizes[dim];
    result.strides[at] = result.strides[at] + tensor.strides[dim];  // a repeated label is a diagonal
  }
  return result;
}

TensorType multiplied(const InferredCall& call, const TensorType& a, const TensorType& b,
                      const std::vector<bool>& is_summed) {
  if (std::find(is_summed.begin(), is_summed.end(), true) == is_summed.end()) {
    return combined({a, b}, promote(a.dtype, b.dtype), call.hints);
  }
  std::vector<std::size_t> groups[4];
  std::vector<Size> sizes(a.sizes.size());
  for (std::size_t i = 0; i < a.sizes.size(); ++i) {
    const bool is_left = !a.sizes[i].is(1);
    const bool is_right = !b.sizes[i].is(1);
    groups[is_summed[i] ? 2 : is_left && is_right ? 0 : is_left ? 1 : 3].push_back(i);
    sizes[i] = is_summed[i] ? Size(1) : is_left ? a.sizes[i] : b.sizes[i];
  }
  TensorType result = contiguous_like(a, sizes);
  Size stride = 1;
  for (std::size_t group = 4; group-- > 0;) {
    for (auto dim = groups[group].rbegin(); dim != groups[group].rend(); ++dim) {
      result.strides[*dim] = stride;
      stride = stride * sizes[*dim];
    }
  }
  return result;
}

std::vector<ValueType> einsum(const InferredCall& call) {
  const std::vector<TensorType> tensors = call.tensors("tensors");
  require(!tensors.empty(), "expected a non-empty list of tensors");
  if (call.has("path") && tensors.size() > 2) return {};  // contracts in another order
  std::vector<std::size_t> ranks;
  for (const TensorType& tensor : tensors) ranks.push_back(tensor.sizes.size());
  const EinsumEquation equation = parse_einsum(call.arguments.get_string("equation"), ranks);
  std::string order = equation.result;
  std::string labels;
  for (const std::string& operand : equation.operands) labels += operand;
  std::sort(labels.begin(), labels.end());
  for (const char label : labels) {
    if (order.find(label) != order.npos) continue;
    require(!is_broadcast_label(label), "cannot sum over '...': expected '...' in the result");
    order += label;
  }
  require_dims(order.size());
  std::vector<TensorType> operands;
  std::vector<Size> sizes;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    operands.push_back(arranged(tensors[i], equation.operands[i], order));
    sizes = broadcast(sizes, operands.back().sizes);
  }
  std::vector<std::size_t> last(order.size());
  for (std::size_t i = 0; i < operands.size(); ++i) {
    for (std::size_t dim = 0; dim < order.size(); ++dim) {
      if (!operands[i].sizes[dim].is(1)) last[dim] = i;
    }
  }
  const std::size_t kept = equation.result.size();
  TensorType result = operands.front();
  for (std::size_t i = 1; i < operands.size(); ++i) {
    std::vector<bool> is_summed(order.size());
    for (std::size_t dim = kept; dim < order.size(); ++dim) {
      const bool is_last = last[dim] <= i;
      const bool in_left = !result.sizes[dim].is(1);
      const bool in_right = !operands[i].sizes[dim].is(1);
      is_summed[dim] = is_last && in_left && in_right;
      if (!is_last || in_left == in_right) continue;
      TensorType& only = in_left ? result : operands[i];
      only.sizes[dim] = 1;
      only = contiguous_like(only, only.sizes);
    }
    result = multiplied(call, result, operands[i], is_summed);
  }
  const bool is_one = operands.size() == 1 && kept < order.size();
  result.sizes.resize(kept);
  result.strides.resize(kept);
  if (is_one) result = contiguous_like(result, result.sizes);
  return {result};
}

}  // namespace

NamedRules einsum_rules() {
  return {
      {einsum, "einsum"},
  };
}

}  // namespace pt2
