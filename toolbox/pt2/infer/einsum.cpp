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

/// Those of the result come first.
std::string label_order(const EinsumEquation& equation) {
  std::string order = equation.result;
  std::string labels;
  for (const std::string& operand : equation.operands) labels += operand;
  std::sort(labels.begin(), labels.end());
  for (const char label : labels) {
    if (order.find(label) == order.npos) order += label;
  }
  require_dims(order.size());
  return order;
}

TensorType multiplied(const InferredCall& call, const TensorType& a, const TensorType& b,
                      const std::vector<bool>& is_summed) {
  if (std::find(is_summed.begin(), is_summed.end(), true) == is_summed.end()) {
    return combined({a, b}, promote(a.dtype, b.dtype), call.hints);
  }
  std::vector<std::size_t> groups[4];
  Sizes sizes(a.sizes.size());
  for (std::size_t i = 0; i < a.sizes.size(); ++i) {
    const bool is_left = !a.sizes[i].is(1);
    const bool is_right = !b.sizes[i].is(1);
    groups[is_summed[i] ? 2 : is_left && is_right ? 0 : is_left ? 1 : 3].push_back(i);
    sizes[i] = is_summed[i] ? Size(1) : is_left ? a.sizes[i] : b.sizes[i];
  }
  // The operands are swapped if the dims of the right operand all precede the dims of the left operand.
  if (!groups[1].empty() && !groups[3].empty() && groups[3].back() < groups[1].front()) {
    std::swap(groups[1], groups[3]);
  }
  std::vector<std::size_t> order;
  for (const auto& dims : groups) order.insert(order.end(), dims.begin(), dims.end());
  TensorType result = contiguous_like(a, sizes);
  result.strides = strides_in(order, sizes);
  return result;
}

Results einsum(const InferredCall& call) {
  const std::vector<TensorType> tensors = call.tensors("tensors");
  require(!tensors.empty(), "expected a non-empty list of tensors");
  std::vector<std::size_t> ranks;
  for (const TensorType& tensor : tensors) ranks.push_back(tensor.sizes.size());
  const EinsumEquation equation = parse_einsum(call.arguments.get_string("equation"), ranks);
  const std::string order = label_order(equation);
  std::vector<TensorType> operands;
  Sizes sizes;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    operands.push_back(arranged(tensors[i], equation.operands[i], order));
    sizes = broadcast(sizes, operands.back().sizes, call.hints);
  }
  const std::size_t kept = equation.result.size();
  const bool is_one = operands.size() == 1 && kept < order.size();
  std::vector<std::size_t> counts(order.size());
  for (const TensorType& operand : operands) {
    for (std::size_t dim = 0; dim < order.size(); ++dim) counts[dim] += operand.sizes[dim].is(1) ? 0 : 1;
  }
  // Without a path, the product so far is the first operand.
  const std::vector<std::int64_t> path =
      call.has("path") ? call.arguments.get_ints("path") : std::vector<std::int64_t>();
  const auto taken = [&](std::size_t step) {
    const std::int64_t at = step < path.size() ? path[step] : static_cast<std::int64_t>(step % 2);
    if (at < 0 || static_cast<std::size_t>(at) >= operands.size()) {
      fail_inference("path: operand " + std::to_string(at) + " is not one of " +
                     std::to_string(operands.size()));
    }
    return static_cast<std::size_t>(at);
  };
  for (std::size_t step = 0; operands.size() > 1; step += 2) {
    const auto [first, second] = std::minmax({taken(step), taken(step + 1)});
    require(first != second, "path: expected two operands in each step");
    TensorType left = operands[first];
    TensorType right = operands[second];
    operands.erase(operands.begin() + static_cast<std::ptrdiff_t>(second));
    operands.erase(operands.begin() + static_cast<std::ptrdiff_t>(first));
    std::vector<bool> is_summed(order.size());
    for (std::size_t dim = kept; dim < order.size(); ++dim) {
      const bool in_left = !left.sizes[dim].is(1);
      const bool in_right = !right.sizes[dim].is(1);
      if (in_left && in_right) {
        is_summed[dim] = --counts[dim] == 1;
        if (is_summed[dim]) counts[dim] = 0;
      } else if (counts[dim] == 1 && (in_left || in_right)) {
        TensorType& only = in_left ? left : right;
        only.sizes[dim] = 1;
        only = contiguous_like(only, only.sizes);
        counts[dim] = 0;
      }
    }
    const auto place = path.empty() ? operands.begin() : operands.end();
    operands.insert(place, multiplied(call, left, right, is_summed));
  }
  TensorType result = operands.front();
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
