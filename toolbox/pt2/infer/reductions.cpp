#include "pt2/infer/rules.h"

#include <utility>

#include "pt2/text/type_names.h"

namespace pt2 {
namespace {

ScalarType summed(ScalarType dtype) {
  return is_float(dtype) || is_complex(dtype) ? dtype : ScalarType::LONG;
}

TensorType reduced(const InferredCall& call, ScalarType dtype) {
  const TensorType self = call.tensor("self");
  const std::vector<bool> is_reduced = call.dims("dim", self.sizes.size());
  const bool keeps = call.flag("keepdim");
  std::vector<Size> sizes;
  for (std::size_t i = 0; i < self.sizes.size(); ++i) {
    if (!is_reduced[i]) sizes.push_back(self.sizes[i]);
    if (is_reduced[i] && keeps) sizes.emplace_back(1);
  }
  return contiguous_like(self, dtype, std::move(sizes));
}

std::vector<ValueType> sum(const InferredCall& call) {
  return {reduced(call, call.dtype(summed(call.tensor("self").dtype)))};
}

std::vector<ValueType> mean(const InferredCall& call) {
  const ScalarType dtype = call.dtype(call.tensor("self").dtype);
  if (!is_float(dtype) && !is_complex(dtype)) {
    fail_inference("expected a floating-point or complex dtype, got " + std::string(torch_name(dtype)));
  }
  return {reduced(call, dtype)};
}

std::vector<ValueType> extreme(const InferredCall& call) {
  return {reduced(call, call.tensor("self").dtype)};
}

std::vector<ValueType> of_truth(const InferredCall& call) {
  const bool is_byte = call.tensor("self").dtype == ScalarType::BYTE;
  return {reduced(call, is_byte ? ScalarType::BYTE : ScalarType::BOOL)};
}

std::vector<ValueType> counted(const InferredCall& call) {
  return {reduced(call, ScalarType::LONG)};
}

std::vector<ValueType> hash(const InferredCall& call) {
  return {reduced(call, ScalarType::UINT64)};
}

/// Of the areas between neighbors, which `cumulative_trapezoid` does not add up to one.
std::vector<ValueType> trapezoid(const InferredCall& call) {
  const TensorType y = call.tensor("y");
  require_min_rank(y, 1);
  ScalarType dtype = y.dtype;
  std::vector<Size> sizes = y.sizes;
  const std::size_t dim = call.dim("dim", sizes.size());
  sizes[dim] = larger(sizes[dim] - Size(1), 0);
  if (call.declares("x")) {
    const TensorType x = call.tensor("x");
    dtype = promote(dtype, x.dtype);
  }
  if (call.op.target.find("cumulative") == std::string::npos)
    sizes.erase(sizes.begin() + static_cast<std::ptrdiff_t>(dim));
  return {contiguous_like(y, as_float(dtype), std::move(sizes))};
}

/// Along each dim.
std::vector<ValueType> gradients(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  std::size_t count = self.sizes.size();
  if (call.has("dim")) count = call.arguments.get_ints("dim").size();
  return {std::vector<TensorType>(count, contiguous_like(self, as_float(self.dtype), self.sizes))};
}

/// The counts, and the edges along each dim.
std::vector<ValueType> histogram(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  std::vector<Size> sizes;
  std::vector<TensorType> edges;
  const Argument& bins = call.arguments.at("bins").value();
  if (bins.is<Argument::as_tensor>() || bins.is<Argument::as_tensors>()) {
    edges = bins.is<Argument::as_tensor>() ? std::vector<TensorType>{call.tensor("bins", 1)}
                                           : call.tensors("bins");
    for (TensorType& edge : edges) {
      require_rank(edge, 1);
      sizes.push_back(edge.sizes[0] - Size(1));
      edge = contiguous_like(edge, edge.sizes);
    }
  } else {
    sizes = call.sizes("bins");
    if (call.op.target.find(".int_bins") != std::string::npos) {
      constexpr std::int64_t kMostDims = 64;  // of a tensor
      const std::int64_t dims = self.sizes.at(self.sizes.size() - 1).number().value_or(1);
      require(dims >= 0 && dims <= kMostDims,
              "the last dim is larger than the number of dims of a histogram");
      sizes = std::vector<Size>(static_cast<std::size_t>(dims), sizes.at(0));
    }
    for (const Size& size : sizes) edges.push_back(contiguous_like(self, {size + Size(1)}));
  }
  const TensorType counts = contiguous_like(self, sizes);
  if (call.op.returns.back().type.kind == OperatorTypeKind::list) return {counts, edges};
  return {counts, edges.at(0)};
}

std::vector<ValueType> extreme_and_index(const InferredCall& call) {
  if (call.declares("other")) return pointwise(call);
  if (!call.declares("dim")) return extreme(call);
  if (call.declares("k")) {
    const std::vector<Size> sizes = call.tensor("self").sizes;
    require_at_most("k", call.size("k"), sizes.empty() ? Size(1) : sizes[call.dim("dim", sizes.size())]);
  }
  return {reduced(call, call.tensor("self").dtype), reduced(call, ScalarType::LONG)};
}

std::vector<ValueType> deviation(const InferredCall& call) {
  return {reduced(call, real(call.tensor("self").dtype))};
}

std::vector<ValueType> deviation_and_mean(const InferredCall& call) {
  const ScalarType dtype = call.tensor("self").dtype;
  return {reduced(call, real(dtype)), reduced(call, dtype)};
}

std::vector<ValueType> norm(const InferredCall& call) {
  return {reduced(call, real(call.dtype(call.tensor("self").dtype)))};
}

std::vector<ValueType> log_sum(const InferredCall& call) {
  return {reduced(call, as_float(call.tensor("self").dtype))};
}

std::vector<ValueType> extremes(const InferredCall& call) {
  const TensorType result = reduced(call, call.tensor("self").dtype);
  return {result, result};
}

std::vector<ValueType> summed_to(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  const std::vector<Size> sizes = call.sizes("size");
  if (sizes == self.sizes && !sizes.empty()) return {self};
  return {contiguous_like(self, summed(self.dtype), sizes)};
}

/// The shape of `q` comes first.
std::vector<ValueType> quantile(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  TensorType result = reduced(call, self.dtype);
  std::vector<Size> sizes = result.sizes;
  if (call.arguments.at("q").value().is<Argument::as_tensor>()) {
    const std::vector<Size> asked = call.tensor("q").sizes;
    sizes.insert(sizes.begin(), asked.begin(), asked.end());
    if (!asked.empty()) return {};  // torch returns a permuted view
  }
  return {contiguous_like(self, std::move(sizes))};
}

std::vector<ValueType> matrix_norm(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  if (call.declares("dim") && call.has("dim")) return norm(call);
  const bool is_matrix = !call.declares("dim") || call.has("ord");
  if (!is_matrix || self.sizes.size() == 1) return norm(call);
  if (self.sizes.size() < 2 || call.flag("keepdim")) return {};
  return {contiguous_like(self, real(self.dtype), {self.sizes.begin(), self.sizes.end() - 2})};
}

std::vector<ValueType> accumulated(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  return {contiguous_like(self, call.dtype(summed(self.dtype)), self.sizes)};
}

std::vector<ValueType> running_extreme(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  return {contiguous_like(self, self.sizes), contiguous_like(self, ScalarType::LONG, self.sizes)};
}

std::vector<ValueType> softmax(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  call.dim("dim", self.sizes.size());
  const bool to_float = call.flag("half_to_float");
  return {contiguous_like(self, to_float ? ScalarType::FLOAT : call.dtype(self.dtype), self.sizes)};
}

std::vector<ValueType> softmax_gradient(const InferredCall& call) {
  return {dense_like(call.tensor("grad_output"), call.arguments.get_scalar_type("input_dtype"), call.hints)};
}

std::vector<ValueType> sorted(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  return {dense_like(self, self.dtype, call.hints), dense_like(self, ScalarType::LONG, call.hints)};
}

std::vector<ValueType> sorting(const InferredCall& call) {
  return {dense_like(call.tensor("self"), ScalarType::LONG, call.hints)};
}

std::vector<ValueType> top(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  std::vector<Size> sizes = self.sizes;
  const Size k = call.size("k");
  Size size = 1;
  if (!sizes.empty()) size = std::exchange(sizes[call.dim("dim", sizes.size())], k);
  require_at_most("k", k, size);
  return {contiguous_like(self, sizes), contiguous_like(self, ScalarType::LONG, sizes)};
}

}  // namespace

NamedRules reduction_rules() {
  return {
      {sum, "sum prod nansum"},
      {mean, "mean nanmean"},
      {extreme, "amax amin"},
      {extreme_and_index, "median max min nanmedian mode kthvalue"},
      {of_truth, "all any _is_all_true _is_any_true"},
      {deviation, "var std"},
      {deviation_and_mean, "var_mean std_mean"},
      {norm, "norm linalg_vector_norm frobenius_norm nuclear_norm"},
      {log_sum, "logsumexp"},
      {accumulated, "cumsum cumprod"},
      {softmax, "softmax _softmax log_softmax _log_softmax _safe_softmax"},
      {softmax_gradient, "_softmax_backward_data _log_softmax_backward_data"},
      {sorted, "sort"},
      {sorting, "argsort"},
      {top, "topk"},
      {counted, "argmax argmin count_nonzero"},
      {running_extreme, "cummax cummin"},
      {hash, "hash_tensor"},
      {trapezoid, "trapezoid trapz cumulative_trapezoid"},
      {gradients, "gradient"},
      {histogram, "histogram histogramdd"},
      {contiguous_first, "logcumsumexp _logcumsumexp"},
      {extremes, "aminmax _aminmax"},
      {dense_first, "msort"},
      {summed_to, "sum_to_size"},
      {quantile, "quantile nanquantile"},
      {matrix_norm, "linalg_norm linalg_matrix_norm linalg_cond"},
  };
}

}  // namespace pt2
