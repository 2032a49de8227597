// Results of operators that put many elements together into one, and of those that go along a dim.
#include "pt2/analysis/infer/rules.h"

#include <utility>

#include "pt2/versions/text/type_names.h"

namespace pt2 {
namespace {

/// Whole numbers and truth values become int64 as they are added up.
ScalarType summed(ScalarType dtype) {
  return is_float(dtype) || is_complex(dtype) ? dtype : ScalarType::LONG;
}

ScalarType real(ScalarType dtype) {
  switch (dtype) {
    case ScalarType::COMPLEXHALF:
      return ScalarType::HALF;
    case ScalarType::COMPLEXFLOAT:
      return ScalarType::FLOAT;
    case ScalarType::COMPLEXDOUBLE:
      return ScalarType::DOUBLE;
    case ScalarType::UNKNOWN:
    case ScalarType::BYTE:
    case ScalarType::CHAR:
    case ScalarType::SHORT:
    case ScalarType::INT:
    case ScalarType::LONG:
    case ScalarType::HALF:
    case ScalarType::FLOAT:
    case ScalarType::DOUBLE:
    case ScalarType::BOOL:
    case ScalarType::BFLOAT16:
    case ScalarType::UINT16:
    case ScalarType::FLOAT8E4M3FN:
    case ScalarType::FLOAT8E5M2:
    case ScalarType::FLOAT8E4M3FNUZ:
    case ScalarType::FLOAT8E5M2FNUZ:
    case ScalarType::FLOAT8E8M0FNU:
    case ScalarType::UINT32:
    case ScalarType::UINT64:
      break;
  }
  return dtype;
}

/// `self` without the dims that are reduced, or with size 1 in their place.
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
  require(is_float(dtype) || is_complex(dtype), "the mean is of floats; 'dtype' makes them so");
  return {reduced(call, dtype)};
}

std::vector<ValueType> extreme(const InferredCall& call) {
  return {reduced(call, call.tensor("self").dtype)};
}

std::vector<ValueType> of_truth(const InferredCall& call) {
  const bool is_byte = call.tensor("self").dtype == ScalarType::BYTE;
  return {reduced(call, is_byte ? ScalarType::BYTE : ScalarType::BOOL)};
}

std::vector<ValueType> index(const InferredCall& call) {
  return {reduced(call, ScalarType::LONG)};
}

/// `max(self)`, or of one dim, and where that is.
std::vector<ValueType> extreme_and_index(const InferredCall& call) {
  if (call.declares("other")) return pointwise(call);
  if (!call.declares("dim")) return extreme(call);
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

// ---- Along a dim ----

std::vector<ValueType> accumulated(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  return {contiguous_like(self, call.dtype(summed(self.dtype)), self.sizes)};
}

std::vector<ValueType> softmax(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  call.dim("dim", self.sizes.size());
  const bool to_float = call.declares("half_to_float") && call.flag("half_to_float");
  return {contiguous_like(self, to_float ? ScalarType::FLOAT : call.dtype(self.dtype), self.sizes)};
}

/// Values in order, and where they were.
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
  if (!sizes.empty()) sizes[call.dim("dim", sizes.size())] = call.size("k");
  return {contiguous_like(self, sizes), contiguous_like(self, ScalarType::LONG, sizes)};
}

}  // namespace

const NamedRules& reduction_rules() {
  static const NamedRules rules = {{"sum", sum},
                                   {"prod", sum},
                                   {"nansum", sum},
                                   {"mean", mean},
                                   {"amax", extreme},
                                   {"amin", extreme},
                                   {"median", extreme_and_index},
                                   {"max", extreme_and_index},
                                   {"min", extreme_and_index},
                                   {"all", of_truth},
                                   {"any", of_truth},
                                   {"argmax", index},
                                   {"argmin", index},
                                   {"var", deviation},
                                   {"std", deviation},
                                   {"var_mean", deviation_and_mean},
                                   {"std_mean", deviation_and_mean},
                                   {"norm", norm},
                                   {"linalg_vector_norm", norm},
                                   {"logsumexp", log_sum},
                                   {"cumsum", accumulated},
                                   {"cumprod", accumulated},
                                   {"softmax", softmax},
                                   {"_softmax", softmax},
                                   {"log_softmax", softmax},
                                   {"_log_softmax", softmax},
                                   {"sort", sorted},
                                   {"argsort", sorting},
                                   {"topk", top}};
  return rules;
}

}  // namespace pt2
