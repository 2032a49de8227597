// Results of products of matrices and of what is made of them.
#include "pt2/infer/rules.h"

#include <utility>

#include "schemagen/base/error.h"

namespace pt2 {
namespace {

void require_inner(const Size& a, const Size& b, const TensorType& left, const TensorType& right) {
  if (a == b) return;
  throw schemagen::DataError("the shapes " + sizes_text(left.sizes) + " and " + sizes_text(right.sizes) +
                             " cannot be multiplied");
}

void require_dtypes(const TensorType& a, const TensorType& b) {
  require(a.dtype == b.dtype, "the operands of a product are of different dtypes");
}

void require_rank(const TensorType& tensor, std::size_t rank) {
  if (tensor.sizes.size() == rank) return;
  throw schemagen::DataError("a tensor of shape " + sizes_text(tensor.sizes) + ", expected one of rank " +
                             std::to_string(rank));
}

/// The shape of `a @ b`.
std::vector<Size> product_sizes(const TensorType& a, const TensorType& b) {
  const std::size_t a_rank = a.sizes.size();
  const std::size_t b_rank = b.sizes.size();
  require(a_rank > 0 && b_rank > 0, "a scalar has no product of matrices");
  require_inner(a.sizes.back(), b.sizes[b_rank == 1 ? 0 : b_rank - 2], a, b);
  const auto batch = [](const std::vector<Size>& sizes) {
    const std::size_t count = sizes.size() < 2 ? 0 : sizes.size() - 2;
    return std::vector<Size>(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(count));
  };
  std::vector<Size> sizes = broadcast(batch(a.sizes), batch(b.sizes));
  if (a_rank > 1) sizes.push_back(a.sizes[a_rank - 2]);
  if (b_rank > 1) sizes.push_back(b.sizes.back());
  return sizes;
}

std::vector<ValueType> product(const TensorType& a, const TensorType& b) {
  require_dtypes(a, b);
  return {contiguous_like(a, product_sizes(a, b))};
}

std::vector<ValueType> matmul(const InferredCall& call) {
  return product(call.tensor("self"), call.tensor(call.declares("other") ? "other" : "tensor"));
}

template <std::size_t Rank>
std::vector<ValueType> mm(const InferredCall& call) {
  const TensorType a = call.tensor("self");
  const TensorType b = call.tensor("mat2");
  require_rank(a, Rank);
  require_rank(b, Rank);
  if (Rank == 3) require(a.sizes[0] == b.sizes[0], "the batches of a product differ");
  return product(a, b);
}

std::vector<ValueType> mv(const InferredCall& call) {
  const TensorType matrix = call.tensor("self");
  require_rank(matrix, 2);
  return product(matrix, call.tensor("vec"));
}

/// `self`, to which a product is added.
template <std::size_t Rank>
std::vector<ValueType> added(const InferredCall& call) {
  const bool is_batch = Rank == 3;
  const TensorType a = call.tensor(is_batch ? "batch1" : "mat1");
  const TensorType b = call.tensor(is_batch ? "batch2" : "mat2");
  require_rank(a, Rank);
  require_rank(b, Rank);
  std::vector<ValueType> result = product(a, b);
  const TensorType& sum = std::get<TensorType>(result.front());
  require_dtypes(a, call.tensor("self"));
  require(broadcast(sum.sizes, call.tensor("self").sizes) == sum.sizes, "self is larger than the product");
  return result;
}

std::vector<ValueType> linear(const InferredCall& call) {
  const TensorType input = call.tensor("input");
  const TensorType weight = call.tensor("weight");
  require_dtypes(input, weight);
  require(!input.sizes.empty() && !weight.sizes.empty() && weight.sizes.size() <= 2,
          "a linear layer takes an input with dims and a weight with one or two");
  require_inner(input.sizes.back(), weight.sizes.back(), input, weight);
  std::vector<Size> sizes(input.sizes.begin(), input.sizes.end() - 1);
  if (weight.sizes.size() == 2) sizes.push_back(weight.sizes[0]);
  if (call.has("bias")) {
    const TensorType bias = call.tensor("bias");
    require_dtypes(input, bias);
    require(broadcast(sizes, bias.sizes) == sizes, "the bias does not fit the weight");
  }
  return {contiguous_like(input, std::move(sizes))};
}

// ---- Vectors, and products of many ----

std::vector<ValueType> outer(const InferredCall& call) {
  const TensorType a = call.tensor("self");
  const TensorType b = call.tensor("vec2");
  require_rank(a, 1);
  require_rank(b, 1);
  return {contiguous_like(a, promote(a.dtype, b.dtype), {a.sizes[0], b.sizes[0]})};
}

std::vector<ValueType> added_outer(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  return {contiguous_like(self, {call.tensor("vec1").sizes.at(0), call.tensor("vec2").sizes.at(0)})};
}

std::vector<ValueType> inner(const InferredCall& call) {
  const TensorType a = call.tensor("self");
  const TensorType b = call.tensor("other");
  if (a.sizes.empty() || b.sizes.empty()) return {};
  require_dtypes(a, b);
  require_inner(a.sizes.back(), b.sizes.back(), a, b);
  std::vector<Size> sizes(a.sizes.begin(), a.sizes.end() - 1);
  sizes.insert(sizes.end(), b.sizes.begin(), b.sizes.end() - 1);
  return {contiguous_like(a, std::move(sizes))};
}

std::vector<ValueType> vecdot(const InferredCall& call) {
  const TensorType a = call.tensor("x");
  std::vector<Size> sizes = broadcast(a.sizes, call.tensor("y").sizes);
  if (sizes.empty()) return {};
  sizes.erase(sizes.begin() + static_cast<std::ptrdiff_t>(call.dim("dim", sizes.size())));
  return {contiguous_like(a, std::move(sizes))};
}

/// Of int8, in int32.
std::vector<ValueType> whole_product(const InferredCall& call) {
  const TensorType a = call.tensor("self");
  return {contiguous_like(a, ScalarType::INT, product_sizes(a, call.tensor("mat2")))};
}

std::vector<ValueType> added_vector(const InferredCall& call) {
  return product(call.tensor("mat"), call.tensor("vec"));
}

std::vector<ValueType> summed_batch(const InferredCall& call) {
  const TensorType a = call.tensor("batch1");
  const TensorType b = call.tensor("batch2");
  require_rank(a, 3);
  require_rank(b, 3);
  return {contiguous_like(a, {a.sizes[1], b.sizes[2]})};
}

std::vector<ValueType> chain(const InferredCall& call) {
  const std::vector<TensorType> all = call.tensors(call.declares("tensors") ? "tensors" : "matrices");
  require(!all.empty(), "there is no matrix");
  TensorType result = all.front();
  for (std::size_t i = 1; i < all.size(); ++i)
    result = contiguous_like(result, product_sizes(result, all[i]));
  return {result};
}

/// Each element times all of the other tensor.
std::vector<ValueType> kron(const InferredCall& call) {
  const TensorType a = call.tensor("self");
  std::vector<Size> left = a.sizes;
  std::vector<Size> right = call.tensor("other").sizes;
  while (left.size() < right.size()) left.insert(left.begin(), Size(1));
  while (right.size() < left.size()) right.insert(right.begin(), Size(1));
  for (std::size_t i = 0; i < left.size(); ++i) left[i] = left[i] * right[i];
  return {contiguous_like(a, promote(a.dtype, call.tensor("other").dtype), std::move(left))};
}

/// Of each row of one to each row of the other.
std::vector<ValueType> distances(const InferredCall& call) {
  const TensorType a = call.tensor("x1");
  const TensorType b = call.tensor("x2");
  require(a.sizes.size() >= 2 && b.sizes.size() >= 2, "rows stand in tensors of two dims at least");
  std::vector<Size> sizes =
      broadcast({a.sizes.begin(), a.sizes.end() - 2}, {b.sizes.begin(), b.sizes.end() - 2});
  sizes.push_back(*(a.sizes.end() - 2));
  sizes.push_back(*(b.sizes.end() - 2));
  return {contiguous_like(a, std::move(sizes))};
}

std::vector<ValueType> bilinear(const InferredCall& call) {
  const TensorType input = call.tensor("input1");
  std::vector<Size> sizes = input.sizes;
  require(!sizes.empty(), "a scalar has no rows");
  sizes.back() = call.tensor("weight").sizes.at(0);
  return {contiguous_like(input, std::move(sizes))};
}

std::vector<ValueType> cross(const InferredCall& call) {
  const TensorType a = call.tensor("self");
  return {contiguous_like(a, broadcast(a.sizes, call.tensor("other").sizes))};
}

std::vector<ValueType> attention(const InferredCall& call) {
  const TensorType query = call.tensor("query");
  const TensorType key = call.tensor("key");
  const TensorType value = call.tensor("value");
  require_dtypes(query, key);
  require_dtypes(query, value);
  require(query.sizes.size() >= 2 && key.sizes.size() >= 2 && value.sizes.size() >= 2,
          "query, key and value have two dims at least");
  require_inner(query.sizes.back(), key.sizes.back(), query, key);
  const auto dropout = call.arguments.optional_float("dropout_p");
  std::vector<Size> sizes = query.sizes;
  if (!(call.declares("enable_gqa") && call.flag("enable_gqa"))) {
    const auto batch = [](const TensorType& t) {
      return std::vector<Size>(t.sizes.begin(), t.sizes.end() - 2);
    };
    sizes = broadcast(broadcast(batch(query), batch(key)), batch(value));
    sizes.insert(sizes.end(), query.sizes.end() - 2, query.sizes.end());
  }
  sizes.back() = value.sizes.back();
  TensorType result = contiguous_like(query, std::move(sizes));
  // Otherwise it is put together of matrix products.
  const bool is_fused = query.sizes.size() == 4 && result.sizes == query.sizes && dropout.value_or(0) == 0 &&
                        !(call.has("attn_mask") && call.tensor("attn_mask").requires_grad);
  if (is_fused) result = dense_like(query, query.dtype, call.hints);
  return {result};
}

/// Attention with the logarithm of the sum of each row's weights.
std::vector<ValueType> fused_attention(const InferredCall& call) {
  const TensorType query = call.tensor("query");
  require_rank(query, 4);
  const std::vector<Size>& sizes = query.sizes;
  const bool is_double = query.dtype == ScalarType::DOUBLE;
  TensorType sums = contiguous_like(query, is_double ? ScalarType::DOUBLE : ScalarType::FLOAT,
                                    {sizes[0], sizes[2], sizes[1]});
  std::swap(sums.sizes[1], sums.sizes[2]);
  std::swap(sums.strides[1], sums.strides[2]);
  return {dense_like(query, query.dtype, call.hints), sums};
}

}  // namespace

const NamedRules& product_rules() {
  static const NamedRules rules = {{"matmul", matmul},
                                   {"dot", matmul},
                                   {"mm", mm<2>},
                                   {"bmm", mm<3>},
                                   {"mv", mv},
                                   {"addmm", added<2>},
                                   {"baddbmm", added<3>},
                                   {"linear", linear},
                                   {"scaled_dot_product_attention", attention},
                                   {"outer", outer},
                                   {"ger", outer},
                                   {"inner", inner},
                                   {"vdot", matmul},
                                   {"linalg_vecdot", vecdot},
                                   {"_int_mm", whole_product},
                                   {"addmv", added_vector},
                                   {"addbmm", summed_batch},
                                   {"linalg_matmul", matmul},
                                   {"linalg_multi_dot", chain},
                                   {"chain_matmul", chain},
                                   {"kron", kron},
                                   {"cdist", distances},
                                   {"_cdist_forward", distances},
                                   {"addr", added_outer},
                                   {"_scaled_dot_product_flash_attention_for_cpu", fused_attention},
                                   {"bilinear", bilinear},
                                   {"linalg_cross", cross},
                                   {"cross", cross}};
  return rules;
}

}  // namespace pt2
