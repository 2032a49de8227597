// Results of losses, and of distances between rows.
#include "pt2/infer/rules.h"

#include <utility>

namespace pt2 {
namespace {

/// `none`, or what is left of all elements: a scalar.
std::vector<ValueType> reduced_to(const InferredCall& call, TensorType none) {
  const bool is_scalar = call.declares("reduction") && call.arguments.get_int("reduction") != 0;
  if (is_scalar) return {contiguous_like(none, {})};
  return {std::move(none)};
}

/// Of each element and the one that it should be.
std::vector<ValueType> elementwise_loss(const InferredCall& call) {
  std::vector<TensorType> tensors;
  ScalarType dtype = call.tensor("self").dtype;
  for (const char* name : {"self", "target", "weight", "pos_weight"}) {
    if (call.has(name)) tensors.push_back(call.tensor(name));
  }
  dtype = promote(dtype, call.tensor("target").dtype);
  return reduced_to(call, combined(tensors, as_float(dtype), call.hints));
}

/// Of scores of classes, the second dim, and the class or the chances of each.
std::vector<ValueType> class_loss(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  const TensorType target = call.tensor("target");
  require(!self.sizes.empty(), "a scalar has no scores of classes");
  if (!is_float(target.dtype)) return reduced_to(call, contiguous_like(self, target.sizes));
  std::vector<Size> sizes = self.sizes;
  sizes.erase(sizes.begin() + (sizes.size() == 1 ? 0 : 1));
  return reduced_to(call, contiguous_like(self, std::move(sizes)));
}

/// Of rows, of which the last dim is reduced; those of other names are compared.
std::vector<ValueType> row_distance(const InferredCall& call) {
  const TensorType a = call.tensor("x1");
  const TensorType b = call.tensor("x2");
  std::vector<Size> sizes = broadcast(a.sizes, b.sizes);
  if (sizes.empty()) return {};
  const std::size_t dim = call.declares("dim") ? call.dim("dim", sizes.size()) : sizes.size() - 1;
  if (call.flag("keepdim")) {
    sizes[dim] = 1;
  } else {
    sizes.erase(sizes.begin() + static_cast<std::ptrdiff_t>(dim));
  }
  return {contiguous_like(a, as_float(promote(a.dtype, b.dtype)), std::move(sizes))};
}

std::vector<ValueType> distance(const InferredCall& call) {
  return {contiguous_like(call.tensor("self"), {})};
}

/// Of what is reduced to one loss only.
template <const char* const& Name>
std::vector<ValueType> mean_loss(const InferredCall& call) {
  if (call.arguments.get_int("reduction") == 0) return {};
  return {contiguous_like(call.tensor(Name), {})};
}

constexpr const char* kAnchor = "anchor";
constexpr const char* kFirst = "input1";
constexpr const char* kLossInput = "input";
constexpr const char* kLossSelf = "self";

}  // namespace

const NamedRules& loss_rules() {
  static const NamedRules rules = {{"mse_loss", elementwise_loss},
                                   {"l1_loss", elementwise_loss},
                                   {"smooth_l1_loss", elementwise_loss},
                                   {"huber_loss", elementwise_loss},
                                   {"soft_margin_loss", elementwise_loss},
                                   {"hinge_embedding_loss", elementwise_loss},
                                   {"kl_div", elementwise_loss},
                                   {"binary_cross_entropy", elementwise_loss},
                                   {"binary_cross_entropy_with_logits", elementwise_loss},
                                   {"cross_entropy_loss", class_loss},
                                   {"nll_loss", class_loss},
                                   {"nll_loss_nd", class_loss},
                                   {"nll_loss2d", class_loss},
                                   {"cosine_similarity", row_distance},
                                   {"pairwise_distance", row_distance},
                                   {"dist", distance},
                                   {"triplet_margin_loss", mean_loss<kAnchor>},
                                   {"margin_ranking_loss", mean_loss<kFirst>},
                                   {"cosine_embedding_loss", mean_loss<kFirst>},
                                   {"poisson_nll_loss", mean_loss<kLossInput>},
                                   {"multi_margin_loss", mean_loss<kLossSelf>},
                                   {"multilabel_margin_loss", mean_loss<kLossSelf>}};
  return rules;
}

}  // namespace pt2
