#include "pt2/infer/rules.h"

#include <algorithm>
#include <numeric>

#include "pt2/text/affix.h"
#include "pt2/text/words.h"
#include "schemagen/base/counted.h"

namespace pt2 {
namespace {

using Dims = std::vector<std::size_t>;

/// LAPACK returns column-major matrices.
TensorType columns_like(const TensorType& like, ScalarType dtype, Sizes sizes) {
  TensorType result = contiguous_like(like, dtype, std::move(sizes));
  const std::size_t rank = result.sizes.size();
  const Size rows = result.sizes[rank - 2];
  result.strides[rank - 2] = 1;
  result.strides[rank - 1] = larger(rows, 1);
  return result;
}

struct Matrices {
  TensorType type;
  Sizes batch;
  Size rows;
  Size columns;
  Size least;

  TensorType of(const Sizes& sizes) const { return contiguous_like(type, concat(batch, sizes)); }
  TensorType in_columns(const Sizes& sizes) const {
    return columns_like(type, type.dtype, concat(batch, sizes));
  }
};

Matrices matrices(TensorType type) {
  require_min_rank(type, 2);
  Sizes batch = but_last(type.sizes, 2);
  const Size rows = *(type.sizes.end() - 2);
  const Size columns = type.sizes.back();
  return {std::move(type), std::move(batch), rows, columns, smaller(rows, columns)};
}

Matrices square_matrices(const TensorType& type) {
  Matrices a = matrices(type);
  const bool are_known = a.rows.number() && a.columns.number();
  if (are_known && a.rows != a.columns)
    fail_inference("expected square matrices, got ", sizes_text({a.rows, a.columns}));
  return a;
}

/// By words: `square` if only such matrices are allowed, then for each result the letters of its dims, `m`
/// for rows, `n` for columns and `k` for the smaller of both, and if it has them, a point and letters for a
/// matrix in columns (`c`) and for a dtype: int, long, real or complex (`i`, `l`, `r`, `x`). Internal
/// functions return more than others of the same row.
Results factors(const InferredCall& call, const TensorType& self) {
  const bool is_square = starts_with(call.words, "square");
  const Matrices a = is_square ? square_matrices(self) : matrices(self);
  Results results;
  for_each_word(call.words.substr(is_square ? 7 : 0), [&](std::string_view word) {
    if (results.size() == call.op.returns.size()) return;
    const std::string_view dims = word.substr(0, word.find('.'));
    const auto has = [&](char letter) { return word.find(letter, dims.size()) != word.npos; };
    Sizes sizes;
    for (const char dim : dims) sizes.push_back(dim == 'm' ? a.rows : dim == 'n' ? a.columns : a.least);
    TensorType result = has('c') ? a.in_columns(sizes) : a.of(sizes);
    if (has('i')) result.dtype = ScalarType::INT;
    if (has('l')) result.dtype = ScalarType::LONG;
    if (has('r')) result.dtype = real(result.dtype);
    if (has('x')) result.dtype = as_complex(result.dtype);
    results.emplace_back(std::move(result));
  });
  return results;
}

Results qr(const InferredCall& call, const TensorType& self) {
  const Matrices a = matrices(self);
  const std::string mode = call.declares("mode") ? call.arguments.get_string("mode")
                           : call.flag("some")   ? "reduced"
                                                 : "complete";
  const Size inner = mode == "complete" ? a.rows : a.least;
  const TensorType q = mode == "r" ? contiguous_like(a.type, {Size(0)}) : a.in_columns({a.rows, inner});
  return {q, a.in_columns({inner, a.columns})};
}

/// The last result of `svd` is not transposed.
Results singular_values(const InferredCall& call, const TensorType& self) {
  const Matrices a = matrices(self);
  TensorType values = a.of({a.least});
  values.dtype = real(values.dtype);
  if (call.op.returns.size() == 1) return {values};
  const bool is_old = call.declares("some");
  const bool is_full = is_old ? !call.flag("some") || !call.flag("compute_uv") : call.flag("full_matrices");
  const Size& inner = is_full ? a.columns : a.least;
  return {a.in_columns({a.rows, is_full ? a.rows : a.least}), values,
          is_old ? a.of({a.columns, inner}) : a.in_columns({inner, a.columns})};
}

Results solution(const InferredCall& call, const TensorType& self, const TensorType& b) {
  const Matrices a = square_matrices(self);
  require_min_rank(b, 1);
  const bool is_left = !call.declares("left") || call.flag("left");
  const std::size_t rank = a.type.sizes.size();
  const bool is_vector =
      b.sizes.size() == 1 ||
      (b.sizes.size() + 1 == rank && std::equal(b.sizes.begin(), b.sizes.end(), a.type.sizes.begin()));
  const std::size_t batch_rank = b.sizes.size() - (is_vector ? 1 : 2);
  const Sizes sizes = concat(broadcast(a.batch, part(b.sizes, 0, batch_rank), call.hints),
                             part(b.sizes, batch_rank, b.sizes.size()));
  const bool is_row_major = sizes.size() < 2 || !is_left;
  Results results = {is_row_major ? contiguous_like(a.type, sizes)
                                  : columns_like(a.type, a.type.dtype, sizes)};
  if (call.op.returns.size() == 4) {
    results.emplace_back(a.in_columns({a.rows, a.columns}));
    results.emplace_back(contiguous_like(a.type, ScalarType::INT, concat(a.batch, {a.rows})));
  }
  if (call.op.returns.size() > 1) results.emplace_back(contiguous_like(a.type, ScalarType::INT, a.batch));
  return results;
}

/// The power -1 is an inverse.
Results matrix_power(const InferredCall& call, const TensorType& self) {
  const Matrices a = square_matrices(self);
  const bool is_inverse = call.arguments.get_int("n") == -1;
  return {is_inverse ? a.in_columns({a.rows, a.columns}) : a.of({a.rows, a.columns})};
}

Results lu(const InferredCall& call, const TensorType& self) {
  const Matrices a = matrices(self);
  const Size inner = a.least;
  const TensorType nothing = contiguous_like(a.type, {Size(0)});
  const bool has_rows = !call.declares("unpack_pivots") || call.flag("unpack_pivots");
  const bool has_factors = !call.declares("unpack_data") || call.flag("unpack_data");
  return {has_rows ? a.of({a.rows, a.rows}) : nothing, has_factors ? a.of({a.rows, inner}) : nothing,
          has_factors ? a.of({inner, a.columns}) : nothing};
}

/// By words: the positions of the matrix and of the right-hand side among the operands.
Results solved(const InferredCall& call) {
  const TensorType a = call.operand(static_cast<std::size_t>(call.words[0] - '0'));
  const TensorType b = call.operand(static_cast<std::size_t>(call.words[1] - '0'));
  require_min_rank(a, 2);
  require_min_rank(b, 2);
  const Sizes batch = broadcast(but_last(a.sizes, 2), but_last(b.sizes, 2), call.hints);
  const auto shaped = [&](const TensorType& matrix) {
    return concat(batch, part(matrix.sizes, matrix.sizes.size() - 2, matrix.sizes.size()));
  };
  const bool is_in_rows = call.declares("LU") && !call.flag("left");
  Results results = {is_in_rows ? contiguous_like(b, shaped(b)) : columns_like(b, b.dtype, shaped(b))};
  if (call.op.returns.size() > 1) results.emplace_back(columns_like(a, a.dtype, shaped(a)));
  return results;
}

/// The first dims of an inverse of higher rank are the last of its input.
Results tensor_inverse(const InferredCall& call, const TensorType& self) {
  const std::int64_t ind = call.arguments.get_int("ind");
  require_at_least("ind", ind, 1);
  const auto first = static_cast<std::size_t>(ind);
  require_min_rank(self, first);
  const Sizes rows = part(self.sizes, first, self.sizes.size());
  TensorType result = contiguous_like(self, concat(rows, part(self.sizes, 0, first)));
  const Size count = element_count(rows);
  for (Size& stride : result.strides) stride = stride * count;
  const Sizes left = row_major_strides(rows);
  std::copy(left.begin(), left.end(), result.strides.begin());
  return {result};
}

Results tensor_solution(const InferredCall& call, const TensorType& self, const TensorType& other) {
  const std::size_t rank = other.sizes.size();
  require_min_rank(self, rank);
  const Dims moved =
      call.has("dims") ? InferredCall::dims_of(call.arguments.get_ints("dims"), self.sizes.size()) : Dims();
  if (self.sizes.empty()) return {contiguous_like(self, {})};  // `dims` may be 0 nevertheless
  Dims order = other_dims(self.sizes.size(), moved);
  order.insert(order.end(), moved.begin(), moved.end());
  const Sizes sizes = permuted(self, order).sizes;
  return {contiguous_like(self, part(sizes, rank, sizes.size()))};
}

/// Integers are multiplied as integers.
Results vandermonde(const InferredCall& call, const TensorType& vector) {
  const TensorType x = of_rank(vector, 1);
  Sizes sizes = x.sizes;
  sizes.push_back(call.has("N") ? call.size("N") : sizes.back());
  const bool is_number = is_float(x.dtype) || is_complex(x.dtype);
  return {contiguous_like(x, is_number ? x.dtype : ScalarType::LONG, std::move(sizes))};
}

/// Of all pairs of rows.
Results pair_distances(const InferredCall&, const TensorType& self) {
  require_rank(self, 2);
  return {contiguous_like(self, {floor_div(self.sizes[0] * (self.sizes[0] - Size(1)), 2)})};
}

Dims sorted_dims(const InferredCall& call, const TensorType& self, Dims dims) {
  std::stable_sort(dims.begin(), dims.end(), [&](std::size_t a, std::size_t b) {
    return self.strides[a].hint(call.hints).value_or(1) > self.strides[b].hint(call.hints).value_or(1);
  });
  return dims;
}

/// The other dims come first in memory, by stride, then `dims`. Source: _exec_fft in
/// aten/src/ATen/native/mkl/SpectralOps.cpp.
TensorType transformed(const InferredCall& call, const TensorType& self, ScalarType dtype, Sizes sizes,
                       const Dims& dims) {
  Dims order = sorted_dims(call, self, other_dims(self.sizes.size(), dims));
  order.insert(order.end(), dims.begin(), dims.end());
  TensorType result = contiguous_like(self, dtype, std::move(sizes));
  result.strides = strides_in(order, result.sizes);
  return result;
}

TensorType from_complex_to_complex(const InferredCall& call, const TensorType& self, const Dims& dims) {
  return transformed(call, self, self.dtype, self.sizes, sorted_dims(call, self, dims));
}

/// The last dim is transformed first.
TensorType from_real_to_complex(const InferredCall& call, const TensorType& self, const Dims& dims,
                                bool is_halved) {
  Sizes sizes = self.sizes;
  if (is_halved) sizes[dims.back()] = floor_div(sizes[dims.back()], 2) + Size(1);
  Dims order = sorted_dims(call, self, {dims.begin(), dims.end() - 1});
  order.push_back(dims.back());
  return transformed(call, self, as_complex(self.dtype), std::move(sizes), order);
}

TensorType from_complex_to_real(const InferredCall& call, const TensorType& self, const Dims& dims,
                                const Size& last_size) {
  const Dims others(dims.begin(), dims.end() - 1);
  const TensorType before = others.empty() ? self : from_complex_to_complex(call, self, others);
  Sizes sizes = self.sizes;
  sizes[dims.back()] = last_size;
  return transformed(call, before, real(as_float(self.dtype)), std::move(sizes), {dims.back()});
}

Dims transformed_dims(const InferredCall& call, std::size_t rank, std::size_t sizes) {
  if (call.has("dim")) return InferredCall::dims_of(call.arguments.get_ints("dim"), rank);
  if (sizes > rank) fail_inference(schemagen::counted(sizes, "size"), " for rank ", rank);
  Dims dims(sizes == 0 ? rank : sizes);
  std::iota(dims.begin(), dims.end(), rank - dims.size());
  return dims;
}

/// By words: which side of the transform is real.
Results fft(const InferredCall& call, TensorType self) {
  const bool is_to_real = call.words == "to real";
  require_min_rank(self, 1);
  Dims dims;
  Sizes asked;
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
  const Sizes given = self.sizes;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    if (asked[i].is(-1)) continue;
    const bool is_halved = is_to_real && i + 1 == dims.size();
    if (is_halved) last = asked[i];
    self.sizes[dims[i]] = is_halved ? floor_div(asked[i], 2) + Size(1) : asked[i];
  }
  if (self.sizes != given) self = contiguous_like(self, self.sizes);
  if (is_to_real)
    return {
        from_complex_to_real(call, self, dims, last.value_or((self.sizes[dims.back()] - Size(1)) * Size(2)))};
  const bool is_of_real = call.words == "of real";
  if (!is_of_real && is_complex(self.dtype)) return {from_complex_to_complex(call, self, dims)};
  if (is_of_real && dims.size() > 1 && call.op.target.find("ihfft") != std::string::npos) {
    const TensorType before = from_real_to_complex(call, self, {dims.back()}, true);
    return {from_complex_to_complex(call, before, {dims.begin(), dims.end() - 1})};
  }
  return {from_real_to_complex(call, self, dims, is_of_real)};
}

Results plain_fft(const InferredCall& call, const TensorType& self) {
  const Dims dims = InferredCall::dims_of(call.arguments.get_ints("dim"), self.sizes.size());
  if (dims.empty()) return {};
  require_min_rank(self, 1);
  if (call.declares("last_dim_size"))
    return {from_complex_to_real(call, self, dims, call.size("last_dim_size"))};
  if (call.declares("onesided")) return {from_real_to_complex(call, self, dims, call.flag("onesided"))};
  return {from_complex_to_complex(call, self, dims)};
}

/// A column per window in the result, a row in memory.
Results short_transforms(const InferredCall& call, const TensorType& self) {
  require_min_rank(self, 1);
  const Size n = call.size("n_fft");
  const Size hop = call.has("hop_length") ? call.size("hop_length") : floor_div(n, 4);
  const bool is_complex_input =
      is_complex(self.dtype) || (call.has("window") && is_complex(call.tensor("window").dtype));
  const bool is_onesided = call.has("onesided") ? call.flag("onesided") : !is_complex_input;
  const Size padding = call.flag("center") ? Size(2) * floor_div(n, 2) : Size(0);
  Sizes sizes = concat(but_last(self.sizes, 1), {floor_div(self.sizes.back() + padding - n, hop) + Size(1),
                                                 is_onesided ? floor_div(n, 2) + Size(1) : n});
  const bool is_pair = !call.has("return_complex") || !call.flag("return_complex");
  if (is_pair) sizes.emplace_back(2);
  TensorType result =
      contiguous_like(self, is_pair ? real(as_complex(self.dtype)) : as_complex(self.dtype), sizes);
  swap_dims(result, self.sizes.size() - 1, self.sizes.size());
  return {result};
}

Results signals(const InferredCall& call, const TensorType& self) {
  require_min_rank(self, 2);
  const Size n = call.size("n_fft");
  const Size hop = call.has("hop_length") ? call.size("hop_length") : floor_div(n, 4);
  Size length = n + hop * (self.sizes.back() - Size(1));
  if (call.flag("center")) length = length - Size(2) * floor_div(n, 2);
  if (call.has("length")) length = call.size("length");
  return {contiguous_like(self, call.flag("return_complex") ? self.dtype : real(self.dtype),
                          concat(but_last(self.sizes, 2), {length}))};
}

Results frequencies(const InferredCall& call) {
  const Size n = call.size("n");
  const bool is_real = call.op.target.find("rfft") != std::string::npos;
  return {TensorType(call.dtype(ScalarType::FLOAT), {is_real ? floor_div(n, 2) + Size(1) : n})};
}

}  // namespace

std::vector<std::size_t> other_dims(std::size_t rank, const std::vector<std::size_t>& dims) {
  Dims others;
  for (std::size_t i = 0; i < rank; ++i) {
    if (std::find(dims.begin(), dims.end(), i) == dims.end()) others.push_back(i);
  }
  return others;
}

NamedRules linear_algebra_rules() {
  return {
      {factors, "square mn.c .i",
       "linalg_inv linalg_inv_ex inverse linalg_cholesky linalg_cholesky_ex cholesky"},
      {factors, "square . mn.c m.i", "linalg_det det logdet _linalg_det"},
      {factors, ".", "trace"},
      {factors, "square . .r mn.c m.i", "linalg_slogdet slogdet _linalg_slogdet"},
      {qr, "linalg_qr qr"},
      {singular_values, "linalg_svd _linalg_svd linalg_svdvals svd"},
      {factors, "square m.r mn.c", "linalg_eigh linalg_eigvalsh _linalg_eigh"},
      {factors, "square m.x mn.cx", "linalg_eig linalg_eigvals _linalg_eigvals"},
      {solution, "linalg_solve linalg_solve_ex _linalg_solve_ex"},
      {lu, "linalg_lu lu_unpack"},
      {factors, "mn.c k", "geqrf"},
      {factors, "mn.c", "cholesky_inverse linalg_householder_product orgqr"},
      {solved, "02", "linalg_lu_solve linalg_ldl_solve ormqr"},
      {solved, "10", "lu_solve cholesky_solve triangular_solve"},
      {solved, "01", "linalg_solve_triangular"},
      {tensor_inverse, "linalg_tensorinv"},
      {tensor_solution, "linalg_tensorsolve"},
      {vandermonde, "linalg_vander vander"},
      {pair_distances, "pdist _pdist_forward"},
      {factors, "mn.c k.i .i",
       "linalg_lu_factor linalg_lu_factor_ex _lu_with_info linalg_ldl_factor linalg_ldl_factor_ex"},
      {factors, "nm", "linalg_pinv pinverse"},
      {factors, "square mn", "linalg_matrix_exp matrix_exp"},
      {matrix_power, "linalg_matrix_power matrix_power"},
      {factors, ".l", "linalg_matrix_rank"},
      {plain_fft, "_fft_c2c _fft_r2c _fft_c2r"},
      {short_transforms, "stft"},
      {signals, "istft"},
      {frequencies, "fft_fftfreq fft_rfftfreq"},
      {fft, "fft_fft fft_ifft fft_fft2 fft_ifft2 fft_fftn fft_ifftn"},
      {fft, "of real", "fft_rfft fft_rfft2 fft_rfftn fft_ihfft fft_ihfft2 fft_ihfftn"},
      {fft, "to real", "fft_irfft fft_irfft2 fft_irfftn fft_hfft fft_hfft2 fft_hfftn"},
  };
}

}  // namespace pt2
