#include "pt2/infer/rules.h"

#include "pt2/operators/operator_schema.h"

namespace pt2 {
namespace {

Results mean(const InferredCall& call, const TensorType& self) {
  const ScalarType dtype = call.dtype(self.dtype);
  if (!is_float(dtype) && !is_complex(dtype))
    fail_inference("expected a floating-point or complex dtype, got ", dtype);
  return described_by("reduced self dtype", call);
}

Results of_truth(const InferredCall& call) {
  TensorType result = reduced(call);
  if (result.dtype != ScalarType::BYTE) result.dtype = ScalarType::BOOL;
  return {result};
}

/// Of the areas between neighbors, which `cumulative_trapezoid` does not add up to one.
Results trapezoid(const InferredCall& call) {
  const auto [y, dim] = along_dim(call);
  ScalarType dtype = y.dtype;
  const bool is_one = call.op.target.find("cumulative") == std::string::npos;
  const Sizes areas = is_one ? Sizes() : Sizes{larger(y.sizes[dim] - Size(1), 0)};
  if (call.declares("x")) dtype = promote(dtype, call.tensor("x").dtype);
  return {contiguous_like(y, as_float(dtype), replaced(y.sizes, dim, 1, areas))};
}

/// Along each dim.
Results gradients(const InferredCall& call, const TensorType& self) {
  std::size_t count = self.sizes.size();
  if (call.has("dim")) count = call.arguments.get_ints("dim").size();
  return {std::vector<TensorType>(count, contiguous_like(self, as_float(self.dtype), self.sizes))};
}

/// The counts, and the edges along each dim.
Results histogram(const InferredCall& call, const TensorType& self) {
  Sizes sizes;
  std::vector<TensorType> edges;
  const Argument& bins = call.arguments.at("bins").value();
  if (bins.is<Argument::as_tensor>() || bins.is<Argument::as_tensors>()) {
    edges =
        bins.is<Argument::as_tensor>() ? std::vector<TensorType>{call.tensor("bins")} : call.tensors("bins");
    for (TensorType& edge : edges) {
      require_rank(edge, 1);
      sizes.push_back(edge.sizes[0] - Size(1));
      edge = contiguous_like(edge, edge.sizes);
    }
  } else {
    sizes = call.sizes("bins");
    if (call.op.target.find(".int_bins") != std::string::npos) {
      require_min_rank(self, 1);
      const std::int64_t dims = self.sizes.back().number().value_or(1);
      require(dims >= 0 && dims <= std::int64_t{kMostDims},
              "the last dim is larger than the number of dims of a histogram");
      sizes = Sizes(static_cast<std::size_t>(dims), sizes.at(0));
    }
    for (const Size& size : sizes) edges.push_back(contiguous_like(self, {size + Size(1)}));
  }
  const TensorType counts = contiguous_like(self, sizes);
  if (call.op.returns.back().type.kind == OperatorTypeKind::list) return {counts, edges};
  return {counts, edges.at(0)};
}

Results extreme_and_index(const InferredCall& call) {
  if (call.declares("other")) return pointwise(call);
  if (!call.declares("dim")) return {reduced(call)};
  if (call.declares("k")) {
    const Sizes sizes = call.tensor("self").sizes;
    require_at_most("k", call.size("k"), sizes.empty() ? Size(1) : sizes[call.dim("dim", sizes.size())]);
  }
  return described_by("reduced self, reduced self long", call);
}

Results summed_to(const InferredCall& call, const TensorType& self) {
  const Sizes sizes = call.sizes("size");
  if (sizes == self.sizes && !sizes.empty()) return {self};
  return described_by("contiguous size summed", call);
}

Results quantile(const InferredCall& call) {
  const TensorType result = reduced(call);
  // With several, torch returns a permuted view.
  if (call.arguments.at("q").value().is<Argument::as_tensor>() && !call.tensor("q").sizes.empty()) return {};
  return {result};
}

Results matrix_norm(const InferredCall& call, const TensorType& self) {
  if (call.declares("dim") && call.has("dim")) return described_by("reduced self dtype real", call);
  const bool is_matrix = !call.declares("dim") || call.has("ord");
  if (!is_matrix || self.sizes.size() == 1) return described_by("reduced self dtype real", call);
  if (self.sizes.size() < 2 || call.flag("keepdim")) return {};
  return {contiguous_like(self, real(self.dtype), but_last(self.sizes, 2))};
}

Results softmax(const InferredCall& call, const TensorType& self) {
  call.dim("dim", self.sizes.size());
  return described_by(call.flag("half_to_float") ? "contiguous self float" : "contiguous self dtype", call);
}

Results top(const InferredCall& call, const TensorType& self) {
  Sizes sizes = self.sizes;
  const Size k = call.size("k");
  Size size = 1;
  if (!sizes.empty()) size = std::exchange(sizes[call.dim("dim", sizes.size())], k);
  require_at_most("k", k, size);
  return {contiguous_like(self, sizes), contiguous_like(self, ScalarType::LONG, sizes)};
}

Results reduced_to(const InferredCall& call, TensorType none) {
  const bool is_scalar = call.declares("reduction") && call.arguments.get_int("reduction") != 0;
  if (is_scalar) return {contiguous_like(none, {})};
  return {std::move(none)};
}

/// The second dim has the scores of classes; the target has class indices or probabilities. The second result
/// is the weight of all classes together.
Results class_loss(const InferredCall& call, const TensorType& self, const TensorType& target) {
  require_min_rank(self, 1);
  const Sizes rows =
      is_float(target.dtype) ? replaced(self.sizes, self.sizes.size() == 1 ? 0 : 1, 1, {}) : target.sizes;
  Results results = reduced_to(call, contiguous_like(self, rows));
  if (call.op.returns.size() > 1) results.emplace_back(contiguous_like(self, {}));
  return results;
}

Results row_distance(const InferredCall& call, const TensorType& a, const TensorType& b) {
  Sizes sizes = broadcast(a.sizes, b.sizes, call.hints);
  if (sizes.empty()) return {};
  const std::size_t dim = call.declares("dim") ? call.dim("dim", sizes.size()) : sizes.size() - 1;
  sizes = replaced(sizes, dim, 1, Sizes(call.flag("keepdim") ? 1 : 0, 1));
  const ScalarType dtype = as_float(promote(a.dtype, b.dtype));
  return {contiguous_like(a, call.declares("p") ? real(dtype) : dtype, std::move(sizes))};
}

Results distance(const InferredCall&, const TensorType& a, const TensorType& b) {
  return {contiguous_like(a, real(as_float(promote(a.dtype, b.dtype))), {})};
}

/// Losses of each row, or of each element, or a number. Weights, which can be missing, do not affect the
/// dtype.
Results loss(const InferredCall& call) {
  const bool is_of_rows = call.words == "rows";
  std::vector<TensorType> tensors;
  ScalarType dtype = call.operand(0).dtype;
  for (const OperatorArgument& argument : call.op.arguments) {
    const bool is_weight = argument.type.kind != OperatorTypeKind::Tensor;
    const bool is_tensor = without_optional(argument.type).kind == OperatorTypeKind::Tensor;
    if (!is_tensor || (is_weight && !call.has(argument.name))) continue;
    TensorType& tensor = tensors.emplace_back(call.tensor(argument.name));
    if (!is_weight) dtype = promote(dtype, tensor.dtype);
    if (is_of_rows && !tensor.sizes.empty() && argument.name != "target")
      tensor = contiguous_like(tensor, but_last(tensor.sizes, 1));
  }
  return reduced_to(call, combined(tensors, real(as_float(dtype)), call.hints));
}

/// A loss of each row.
Results margin_loss(const InferredCall& call, const TensorType& self) {
  if (self.sizes.size() < 2) return {contiguous_like(self, {})};
  return reduced_to(call, contiguous_like(self, {self.sizes[0]}));
}

}  // namespace

TensorType reduced(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  const std::vector<bool> is_reduced = call.dims("dim", self.sizes.size());
  const bool keeps = call.flag("keepdim");
  Sizes sizes;
  for (std::size_t i = 0; i < self.sizes.size(); ++i) {
    if (!is_reduced[i]) sizes.push_back(self.sizes[i]);
    if (is_reduced[i] && keeps) sizes.emplace_back(1);
  }
  return contiguous_like(self, std::move(sizes));
}

NamedRules reduction_rules() {
  return {
      {described, "reduced self summed dtype", "sum prod nansum"},
      {mean, "mean nanmean"},
      {described, "reduced self", "amax amin"},
      {extreme_and_index, "median max min nanmedian mode kthvalue"},
      {of_truth, "all any _is_all_true _is_any_true"},
      {described, "reduced self real", "var std"},
      {described, "reduced self real, reduced self", "var_mean std_mean"},
      {described, "reduced self dtype real", "norm linalg_vector_norm frobenius_norm nuclear_norm"},
      {described, "reduced self floating", "logsumexp"},
      {described, "contiguous self summed dtype", "cumsum cumprod"},
      {softmax, "softmax _softmax log_softmax _log_softmax _safe_softmax"},
      {described, "dense grad_output input_dtype", "_softmax_backward_data _log_softmax_backward_data"},
      {described, "dense self, dense self long", "sort"},
      {described, "dense self long", "argsort"},
      {top, "topk"},
      {described, "reduced self long", "argmax argmin count_nonzero"},
      {described, "contiguous self, contiguous self long", "cummax cummin"},
      {described, "reduced self uint64", "hash_tensor"},
      {trapezoid, "trapezoid trapz cumulative_trapezoid"},
      {gradients, "gradient"},
      {histogram, "histogram histogramdd"},
      {described, "contiguous _", "logcumsumexp _logcumsumexp"},
      {described, "reduced self, reduced self", "aminmax _aminmax"},
      {summed_to, "sum_to_size"},
      {quantile, "quantile nanquantile"},
      {matrix_norm, "linalg_norm linalg_matrix_norm linalg_cond"},
      {loss,
       "mse_loss l1_loss smooth_l1_loss huber_loss soft_margin_loss hinge_embedding_loss kl_div "
       "binary_cross_entropy binary_cross_entropy_with_logits margin_ranking_loss poisson_nll_loss"},
      {class_loss, "cross_entropy_loss nll_loss nll_loss_nd nll_loss2d nll_loss_forward nll_loss2d_forward"},
      {row_distance, "cosine_similarity pairwise_distance"},
      {distance, "dist"},
      {loss, "rows", "triplet_margin_loss cosine_embedding_loss"},
      {margin_loss, "multi_margin_loss multilabel_margin_loss"},
  };
}

}  // namespace pt2
