#include "pt2/infer/rules.h"

#include <utility>

namespace pt2 {
namespace {

Results reduced_to(const InferredCall& call, TensorType none) {
  const bool is_scalar = call.declares("reduction") && call.arguments.get_int("reduction") != 0;
  if (is_scalar) return {contiguous_like(none, {})};
  return {std::move(none)};
}

Results elementwise_loss(const InferredCall& call) {
  std::vector<TensorType> tensors;
  for (const char* name : {"self", "target", "weight", "pos_weight"}) {
    if (call.has(name)) tensors.push_back(call.tensor(name));
  }
  const ScalarType dtype = promote(call.tensor("self").dtype, call.tensor("target").dtype);
  return reduced_to(call, combined(tensors, real(as_float(dtype)), call.hints));
}

/// The second dim has the scores of classes; the target has class indices or probabilities.
Results class_loss(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  const TensorType target = call.tensor("target");
  require_min_rank(self, 1);
  if (!is_float(target.dtype)) return reduced_to(call, contiguous_like(self, target.sizes));
  return reduced_to(call, contiguous_like(self, without_dim(self.sizes, self.sizes.size() == 1 ? 0 : 1)));
}

/// Also returns the weight of all classes together.
Results weighed_class_loss(const InferredCall& call) {
  Results results = class_loss(call);
  results.emplace_back(contiguous_like(call.tensor("self"), {}));
  return results;
}

Results row_distance(const InferredCall& call) {
  const TensorType a = call.tensor("x1");
  const TensorType b = call.tensor("x2");
  Sizes sizes = broadcast(a.sizes, b.sizes, call.hints);
  if (sizes.empty()) return {};
  const std::size_t dim = call.declares("dim") ? call.dim("dim", sizes.size()) : sizes.size() - 1;
  if (call.flag("keepdim")) {
    sizes[dim] = 1;
  } else {
    sizes = without_dim(std::move(sizes), dim);
  }
  const ScalarType dtype = as_float(promote(a.dtype, b.dtype));
  return {contiguous_like(a, call.declares("p") ? real(dtype) : dtype, std::move(sizes))};
}

Results distance(const InferredCall& call) {
  const ScalarType dtype = promote(call.tensor("self").dtype, call.tensor("other").dtype);
  return {contiguous_like(call.tensor("self"), real(as_float(dtype)), {})};
}

/// Losses of each row, or of each element, or a number.
Results composed_loss(const InferredCall& call) {
  const bool is_of_rows = call.words == "rows";
  std::vector<TensorType> tensors;
  ScalarType dtype = call.first().dtype;
  for (const OperatorArgument& argument : call.op.arguments) {
    if (argument.type.kind != OperatorTypeKind::Tensor) continue;
    TensorType& tensor = tensors.emplace_back(call.tensor(argument.name));
    dtype = promote(dtype, tensor.dtype);
    if (is_of_rows && !tensor.sizes.empty() && argument.name != "target")
      tensor = contiguous_like(tensor, but_last(tensor.sizes, 1));
  }
  return reduced_to(call, combined(tensors, real(as_float(dtype)), call.hints));
}

/// A loss of each row.
Results margin_loss(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  if (self.sizes.size() < 2) return {contiguous_like(self, {})};
  return reduced_to(call, contiguous_like(self, {self.sizes[0]}));
}

}  // namespace

NamedRules loss_rules() {
  return {
      {elementwise_loss,
       "mse_loss l1_loss smooth_l1_loss huber_loss soft_margin_loss hinge_embedding_loss kl_div "
       "binary_cross_entropy binary_cross_entropy_with_logits"},
      {class_loss, "cross_entropy_loss nll_loss nll_loss_nd nll_loss2d"},
      {weighed_class_loss, "nll_loss_forward nll_loss2d_forward"},
      {row_distance, "cosine_similarity pairwise_distance"},
      {distance, "dist"},
      {composed_loss, "margin_ranking_loss poisson_nll_loss"},
      {composed_loss, "triplet_margin_loss cosine_embedding_loss", "rows"},
      {margin_loss, "multi_margin_loss multilabel_margin_loss"},
  };
}

}  // namespace pt2
