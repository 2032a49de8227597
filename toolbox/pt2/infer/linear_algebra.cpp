#include "pt2/infer/rules.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "pt2/text/type_names.h"
#include "schemagen/base/counted.h"
#include "schemagen/base/error.h"

namespace pt2 {
namespace {

/// LAPACK returns column-major matrices.
TensorType columns_like(const TensorType& like, ScalarType dtype, std::vector<Size> sizes) {
  TensorType result = contiguous_like(like, dtype, std::move(sizes));
  const std::size_t rank = result.sizes.size();
  const Size rows = result.sizes[rank - 2];
  result.strides[rank - 2] = 1;
  result.strides[rank - 1] = rows.is(0) ? Size(1) : rows;
  return result;
}

struct Matrices {
  TensorType type;
  std::vector<Size> batch;
  Size rows;
  Size columns;

  std::vector<Size> with(const std::vector<Size>& sizes) const {
    std::vector<Size> all = batch;
    all.insert(all.end(), sizes.begin(), sizes.end());
    return all;
  }
  TensorType of(const std::vector<Size>& sizes) const { return contiguous_like(type, with(sizes)); }
  TensorType of(const std::vector<Size>& sizes, ScalarType dtype) const {
    return contiguous_like(type, dtype, with(sizes));
  }
  TensorType in_columns(const std::vector<Size>& sizes) const { return in_columns(sizes, type.dtype); }
  TensorType in_columns(const std::vector<Size>& sizes, ScalarType dtype) const {
    return columns_like(type, dtype, with(sizes));
  }
  TensorType error() const { return of({}, ScalarType::INT); }
};

Matrices matrices(const InferredCall& call) {
  TensorType type = call.tensor(call.declares("A") ? "A" : call.declares("self") ? "self" : "input");
  require_min_rank(type, 2);
  std::vector<Size> batch(type.sizes.begin(), type.sizes.end() - 2);
  const Size rows = *(type.sizes.end() - 2);
  const Size columns = type.sizes.back();
  return {std::move(type), std::move(batch), rows, columns};
}

Matrices square_matrices(const InferredCall& call) {
  Matrices a = matrices(call);
  const bool are_known = a.rows.number() && a.columns.number();
  if (are_known && !(a.rows == a.columns)) {
    fail_inference("expected square matrices, got " + sizes_text({a.rows, a.columns}));
  }
  return a;
}

Size least(const Matrices& a) {
  if (a.rows == a.columns) return a.rows;
  require(a.rows.number() && a.columns.number(), "cannot tell which of two symbolic sizes is smaller");
  return std::min(*a.rows.number(), *a.columns.number());
}

std::vector<ValueType> inverse(const InferredCall& call) {
  const Matrices a = square_matrices(call);
  if (call.op.returns.size() == 1) return {a.in_columns({a.rows, a.columns})};
  return {a.in_columns({a.rows, a.columns}), a.error()};
}

std::vector<ValueType> determinant(const InferredCall& call) {
  return {square_matrices(call).of({})};
}

std::vector<ValueType> trace(const InferredCall& call) {
  return {matrices(call).of({})};
}

std::vector<ValueType> sign_and_logarithm(const InferredCall& call) {
  const Matrices a = square_matrices(call);
  return {a.of({}), a.of({}, real(a.type.dtype))};
}

std::vector<ValueType> qr(const InferredCall& call) {
  const Matrices a = matrices(call);
  const std::string mode = call.declares("mode") ? call.arguments.get_string("mode") : "reduced";
  const Size inner = mode == "complete" ? a.rows : least(a);
  const TensorType q = mode == "r" ? contiguous_like(a.type, {Size(0)}) : a.in_columns({a.rows, inner});
  return {q, a.in_columns({inner, a.columns})};
}

std::vector<ValueType> singular_values(const InferredCall& call) {
  const Matrices a = matrices(call);
  const TensorType values = a.of({least(a)}, real(a.type.dtype));
  if (call.op.returns.size() == 1) return {values};
  const bool is_full = call.flag("full_matrices");
  return {a.in_columns({a.rows, is_full ? a.rows : least(a)}), values,
          a.in_columns({is_full ? a.columns : least(a), a.columns})};
}

/// Eigenvalues of symmetric matrices are real.
template <bool IsSymmetric>
std::vector<ValueType> eigenvalues(const InferredCall& call) {
  const Matrices a = square_matrices(call);
  const ScalarType vectors = IsSymmetric ? a.type.dtype : as_complex(a.type.dtype);
  const TensorType values = a.of({a.rows}, IsSymmetric ? real(vectors) : vectors);
  if (call.op.returns.size() == 1) return {values};
  return {values, a.in_columns({a.rows, a.columns}, vectors)};
}

std::vector<ValueType> solution(const InferredCall& call) {
  const Matrices a = square_matrices(call);
  const TensorType b = call.tensor("B");
  require_min_rank(b, 1);
  const bool is_left = !call.declares("left") || call.flag("left");
  const std::size_t rank = a.type.sizes.size();
  const bool is_vector =
      b.sizes.size() == 1 ||
      (b.sizes.size() + 1 == rank && std::equal(b.sizes.begin(), b.sizes.end(), a.type.sizes.begin()));
  std::vector<Size> batch(b.sizes.begin(), b.sizes.end() - (is_vector ? 1 : 2));
  std::vector<Size> sizes = broadcast(a.batch, batch);
  sizes.insert(sizes.end(), b.sizes.end() - (is_vector ? 1 : 2), b.sizes.end());
  const bool is_row_major = sizes.size() < 2 || !is_left;
  const TensorType x =
      is_row_major ? contiguous_like(a.type, sizes) : columns_like(a.type, a.type.dtype, sizes);
  if (call.op.returns.size() == 1) return {x};
  return {x, a.error()};
}

std::vector<ValueType> lu(const InferredCall& call) {
  const Matrices a = matrices(call);
  const Size inner = least(a);
  return {a.of({a.rows, a.rows}), a.of({a.rows, inner}), a.of({inner, a.columns})};
}

std::vector<ValueType> lu_factor(const InferredCall& call) {
  const Matrices a = matrices(call);
  std::vector<ValueType> results = {a.in_columns({a.rows, a.columns}), a.of({least(a)}, ScalarType::INT)};
  if (call.op.returns.size() == 3) results.emplace_back(a.error());
  return results;
}

std::vector<ValueType> pseudo_inverse(const InferredCall& call) {
  const Matrices a = matrices(call);
  return {a.of({a.columns, a.rows})};
}

std::vector<ValueType> same_matrices(const InferredCall& call) {
  const Matrices a = square_matrices(call);
  return {a.of({a.rows, a.columns})};
}

std::vector<ValueType> rank_of(const InferredCall& call) {
  return {matrices(call).of({}, ScalarType::LONG)};
}

void sort_by_stride(const InferredCall& call, const TensorType& self, std::vector<std::size_t>& dims) {
  std::stable_sort(dims.begin(), dims.end(), [&](std::size_t a, std::size_t b) {
    return self.strides[a].hint(call.hints).value_or(1) > self.strides[b].hint(call.hints).value_or(1);
  });
}

/// The other dims come first in memory, by stride, then `dims`. Source: _exec_fft in
/// aten/src/ATen/native/mkl/SpectralOps.cpp.
TensorType transformed(const InferredCall& call, const TensorType& self, ScalarType dtype,
                       std::vector<Size> sizes, const std::vector<std::size_t>& dims) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < self.sizes.size(); ++i) {
    if (std::find(dims.begin(), dims.end(), i) == dims.end()) order.push_back(i);
  }
  sort_by_stride(call, self, order);
  order.insert(order.end(), dims.begin(), dims.end());
  TensorType result = contiguous_like(self, dtype, std::move(sizes));
  Size stride = 1;
  for (std::size_t i = order.size(); i-- > 0;) {
    result.strides[order[i]] = stride;
    stride = stride * result.sizes[order[i]];
  }
  return result;
}

std::vector<std::size_t> sorted_dims(const InferredCall& call, const TensorType& self,
                                     std::vector<std::size_t> dims) {
  sort_by_stride(call, self, dims);
  return dims;
}

std::vector<std::size_t> transformed_dims(const InferredCall& call, std::size_t rank, std::size_t sizes) {
  if (call.has("dim")) return InferredCall::dims_of(call.arguments.get_ints("dim"), rank);
  if (sizes > rank) fail_inference(schemagen::counted(sizes, "size") + " for rank " + std::to_string(rank));
  std::vector<std::size_t> dims(sizes == 0 ? rank : sizes);
  std::iota(dims.begin(), dims.end(), rank - dims.size());
  return dims;
}

enum class Transform { to_complex, of_real, to_real };

template <Transform Kind>
std::vector<ValueType> fft(const InferredCall& call) {
  TensorType self = call.tensor("self");
  require_min_rank(self, 1);
  std::vector<std::size_t> dims;
  std::vector<Size> asked;
  if (call.declares("n")) {
    dims = {call.dim("dim", self.sizes.size())};
    if (call.has("n")) asked = {call.size("n")};
  } else {
    if (call.has("s")) asked = call.sizes("s");
    dims = transformed_dims(call, self.sizes.size(), asked.size());
  }
  if (dims.empty()) return {};
  if (!asked.empty()) require_same_count(asked.size(), "size", dims.size(), "dim");
  std::optional<Size> last;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    if (asked[i].is(-1)) continue;
    const bool is_halved = Kind == Transform::to_real && i + 1 == dims.size();
    if (is_halved) last = asked[i];
    self.sizes[dims[i]] = is_halved ? floor_div(asked[i], 2) + Size(1) : asked[i];
  }
  if (!asked.empty() && self.sizes != call.tensor("self").sizes) {
    self = contiguous_like(self, self.sizes);
  }
  const ScalarType complex = as_complex(self.dtype);
  if (Kind == Transform::to_complex && is_complex(self.dtype)) {
    return {transformed(call, self, complex, self.sizes, sorted_dims(call, self, dims))};
  }
  std::vector<std::size_t> others(dims.begin(), dims.end() - 1);
  others = sorted_dims(call, self, others);
  std::vector<Size> sizes = self.sizes;
  if (Kind == Transform::to_real) {
    TensorType before = self;
    if (!others.empty()) before = transformed(call, self, complex, sizes, others);
    sizes[dims.back()] = last.value_or((sizes[dims.back()] - Size(1)) * Size(2));
    return {transformed(call, before,
                        real(self.dtype) == self.dtype ? as_float(self.dtype) : real(self.dtype),
                        std::move(sizes), {dims.back()})};
  }
  if (Kind == Transform::of_real) sizes[dims.back()] = floor_div(sizes[dims.back()], 2) + Size(1);
  others.push_back(dims.back());
  return {transformed(call, self, complex, std::move(sizes), others)};
}

std::vector<ValueType> plain_fft(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  std::vector<std::size_t> dims = InferredCall::dims_of(call.arguments.get_ints("dim"), self.sizes.size());
  if (dims.empty()) return {};
  require_min_rank(self, 1);
  std::vector<Size> sizes = self.sizes;
  if (!call.declares("onesided") && !call.declares("last_dim_size")) {
    return {transformed(call, self, self.dtype, std::move(sizes), sorted_dims(call, self, dims))};
  }
  const std::size_t last = dims.back();
  dims = sorted_dims(call, self, {dims.begin(), dims.end() - 1});
  if (call.declares("last_dim_size")) {
    const TensorType before = dims.empty() ? self : transformed(call, self, self.dtype, sizes, dims);
    sizes[last] = call.size("last_dim_size");
    return {transformed(call, before, real(self.dtype), std::move(sizes), {last})};
  }
  if (call.flag("onesided")) sizes[last] = floor_div(sizes[last], 2) + Size(1);
  dims.push_back(last);
  return {transformed(call, self, as_complex(self.dtype), std::move(sizes), dims)};
}

std::vector<ValueType> frequencies(const InferredCall& call) {
  const Size n = call.size("n");
  const bool is_real = call.op.target.find("rfft") != std::string::npos;
  return {TensorType(call.dtype(ScalarType::FLOAT), {is_real ? floor_div(n, 2) + Size(1) : n})};
}

}  // namespace

NamedRules linear_algebra_rules() {
  return {
      {inverse, "linalg_inv linalg_inv_ex inverse linalg_cholesky linalg_cholesky_ex cholesky"},
      {determinant, "linalg_det det logdet"},
      {trace, "trace"},
      {sign_and_logarithm, "linalg_slogdet slogdet"},
      {qr, "linalg_qr"},
      {singular_values, "linalg_svd _linalg_svd linalg_svdvals"},
      {eigenvalues<true>, "linalg_eigh linalg_eigvalsh"},
      {eigenvalues<false>, "linalg_eig linalg_eigvals"},
      {solution, "linalg_solve linalg_solve_ex"},
      {lu, "linalg_lu"},
      {lu_factor, "linalg_lu_factor linalg_lu_factor_ex"},
      {pseudo_inverse, "linalg_pinv pinverse"},
      {same_matrices, "linalg_matrix_power matrix_power linalg_matrix_exp matrix_exp"},
      {rank_of, "linalg_matrix_rank"},
      {contiguous_first, "fft_fftshift fft_ifftshift"},
      {plain_fft, "_fft_c2c _fft_r2c _fft_c2r"},
      {frequencies, "fft_fftfreq fft_rfftfreq"},
      {fft<Transform::to_complex>, "fft_fft fft_ifft fft_fft2 fft_ifft2 fft_fftn fft_ifftn"},
      {fft<Transform::of_real>, "fft_rfft fft_rfft2 fft_rfftn fft_ihfft"},
      {fft<Transform::to_real>, "fft_irfft fft_irfft2 fft_irfftn fft_hfft"},
  };
}

}  // namespace pt2
