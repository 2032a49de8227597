#include "pt2/infer/rules.h"

#include <algorithm>
#include <utility>

#include "pt2/text/type_names.h"

namespace pt2 {
namespace {

void require_inner(const InferredCall& call, const Size& a, const Size& b, const TensorType& left,
                   const TensorType& right) {
  if (may_equal(a, b, call.hints)) return;
  fail_shapes("cannot multiply shapes " + sizes_text(left.sizes) + " and " + sizes_text(right.sizes));
}

void require_dtypes(const TensorType& a, const TensorType& b) {
  if (a.dtype == b.dtype) return;
  fail_inference("expected operands of the same dtype, got " + std::string(torch_name(a.dtype)) + " and " +
                 std::string(torch_name(b.dtype)));
}

Sizes batch_of(const TensorType& tensor) {
  const Sizes& sizes = tensor.sizes;
  return {sizes.begin(), sizes.end() - static_cast<std::ptrdiff_t>(std::min<std::size_t>(sizes.size(), 2))};
}

void require_broadcastable(const InferredCall& call, const TensorType& tensor, const Sizes& sizes) {
  if (broadcast(sizes, tensor.sizes, call.hints) == sizes) return;
  fail_shapes("cannot broadcast shape " + sizes_text(tensor.sizes) + " to " + sizes_text(sizes));
}

Sizes product_sizes(const InferredCall& call, const TensorType& a, const TensorType& b) {
  const std::size_t a_rank = a.sizes.size();
  const std::size_t b_rank = b.sizes.size();
  require_min_rank(a, 1);
  require_min_rank(b, 1);
  require_inner(call, a.sizes.back(), b.sizes[b_rank == 1 ? 0 : b_rank - 2], a, b);
  Sizes sizes = broadcast(batch_of(a), batch_of(b), call.hints);
  if (a_rank > 1) sizes.push_back(a.sizes[a_rank - 2]);
  if (b_rank > 1) sizes.push_back(b.sizes.back());
  return sizes;
}

Results product(const InferredCall& call, const TensorType& a, const TensorType& b) {
  require_dtypes(a, b);
  return {contiguous_like(a, product_sizes(call, a, b))};
}

Results matmul(const InferredCall& call) {
  return product(call, call.tensor("self"), call.tensor(call.declares("other") ? "other" : "tensor"));
}

template <std::size_t Rank>
Results mm(const InferredCall& call) {
  const TensorType a = call.tensor("self", Rank);
  const TensorType b = call.tensor("mat2", Rank);
  if (Rank == 3) require_inner(call, a.sizes[0], b.sizes[0], a, b);
  return product(call, a, b);
}

Results mv(const InferredCall& call) {
  return product(call, call.tensor("self", 2), call.tensor("vec"));
}

template <std::size_t Rank>
Results added(const InferredCall& call) {
  const bool is_batch = Rank == 3;
  const TensorType self = call.tensor("self");
  const TensorType a = call.tensor(is_batch ? "batch1" : "mat1", Rank);
  const TensorType b = call.tensor(is_batch ? "batch2" : "mat2", Rank);
  Results result = product(call, a, b);
  require_dtypes(a, self);
  require_broadcastable(call, self, std::get<TensorType>(result.front()).sizes);
  return result;
}

Results linear(const InferredCall& call) {
  const TensorType input = call.tensor("input");
  const TensorType weight = call.tensor("weight");
  require_dtypes(input, weight);
  require_min_rank(input, 1);
  require_min_rank(weight, 1);
  if (weight.sizes.size() > 2) require_rank(weight, 2);
  require_inner(call, input.sizes.back(), weight.sizes.back(), input, weight);
  Sizes sizes(input.sizes.begin(), input.sizes.end() - 1);
  if (weight.sizes.size() == 2) sizes.push_back(weight.sizes[0]);
  if (call.has("bias")) {
    const TensorType bias = call.tensor("bias");
    require_dtypes(input, bias);
    require_broadcastable(call, bias, sizes);
  }
  return {contiguous_like(input, std::move(sizes))};
}

Results outer(const InferredCall& call) {
  const TensorType a = call.tensor("self", 1);
  const TensorType b = call.tensor("vec2", 1);
  return {contiguous_like(a, promote(a.dtype, b.dtype), {a.sizes[0], b.sizes[0]})};
}

Results added_outer(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  return {contiguous_like(self, {call.tensor("vec1", 1).sizes[0], call.tensor("vec2", 1).sizes[0]})};
}

Results inner(const InferredCall& call) {
  const TensorType a = call.tensor("self");
  const TensorType b = call.tensor("other");
  if (a.sizes.empty() || b.sizes.empty()) return {combined({a, b}, promote(a.dtype, b.dtype), call.hints)};
  require_dtypes(a, b);
  require_inner(call, a.sizes.back(), b.sizes.back(), a, b);
  Sizes sizes(a.sizes.begin(), a.sizes.end() - 1);
  sizes.insert(sizes.end(), b.sizes.begin(), b.sizes.end() - 1);
  return {contiguous_like(a, std::move(sizes))};
}

Results vecdot(const InferredCall& call) {
  const TensorType a = call.tensor("x");
  Sizes sizes = broadcast(a.sizes, call.tensor("y").sizes, call.hints);
  if (sizes.empty()) return {};
  sizes.erase(sizes.begin() + static_cast<std::ptrdiff_t>(call.dim("dim", sizes.size())));
  return {contiguous_like(a, std::move(sizes))};
}

Results integer_product(const InferredCall& call) {
  const TensorType a = call.tensor("self");
  return {contiguous_like(a, ScalarType::INT, product_sizes(call, a, call.tensor("mat2")))};
}

/// The packed weight has a row for each output.
Results packed_product(const InferredCall& call) {
  const TensorType self = call.tensor("self", 2);
  return {contiguous_like(self, {self.sizes[0], call.tensor("mat2", 2).sizes[0]})};
}

Results scaled_product(const InferredCall& call) {
  const TensorType a = call.tensor("self");
  return {contiguous_like(a, call.dtype(a.dtype, "out_dtype"), product_sizes(call, a, call.tensor("mat2")))};
}

Results added_vector(const InferredCall& call) {
  return product(call, call.tensor("mat"), call.tensor("vec"));
}

Results summed_batch(const InferredCall& call) {
  const TensorType a = call.tensor("batch1", 3);
  const TensorType b = call.tensor("batch2", 3);
  require_sizes(call, "batch2", b.sizes, {a.sizes[0], a.sizes[2], b.sizes[2]});
  const Sizes sizes = {a.sizes[1], b.sizes[2]};
  require_broadcastable(call, call.tensor("self"), sizes);
  return {contiguous_like(a, sizes)};
}

Results chain(const InferredCall& call) {
  const std::vector<TensorType> all = call.tensors(call.declares("tensors") ? "tensors" : "matrices");
  require(!all.empty(), "expected a non-empty list of tensors");
  TensorType result = all.front();
  for (std::size_t i = 1; i < all.size(); ++i)
    result = contiguous_like(result, product_sizes(call, result, all[i]));
  return {result};
}

Results kron(const InferredCall& call) {
  const TensorType a = call.tensor("self");
  Sizes left = a.sizes;
  Sizes right = call.tensor("other").sizes;
  while (left.size() < right.size()) left.insert(left.begin(), Size(1));
  while (right.size() < left.size()) right.insert(right.begin(), Size(1));
  for (std::size_t i = 0; i < left.size(); ++i) left[i] = left[i] * right[i];
  return {contiguous_like(a, promote(a.dtype, call.tensor("other").dtype), std::move(left))};
}

Results distances(const InferredCall& call) {
  const TensorType a = call.tensor("x1");
  const TensorType b = call.tensor("x2");
  require_min_rank(a, 2);
  require_min_rank(b, 2);
  require_inner(call, a.sizes.back(), b.sizes.back(), a, b);
  Sizes sizes = broadcast(batch_of(a), batch_of(b), call.hints);
  sizes.push_back(*(a.sizes.end() - 2));
  sizes.push_back(*(b.sizes.end() - 2));
  return {contiguous_like(a, std::move(sizes))};
}

Results bilinear(const InferredCall& call) {
  const TensorType input = call.tensor("input1");
  Sizes sizes = input.sizes;
  require_min_rank(input, 1);
  const TensorType other = call.tensor("input2");
  require_min_rank(other, 1);
  const TensorType weight = call.tensor("weight", 3);
  require_sizes(call, "weight", weight.sizes, {weight.sizes[0], sizes.back(), other.sizes.back()});
  sizes.back() = weight.sizes[0];
  return {contiguous_like(input, std::move(sizes))};
}

Results cross(const InferredCall& call) {
  const TensorType a = call.tensor("self");
  return {contiguous_like(a, broadcast(a.sizes, call.tensor("other").sizes, call.hints))};
}

Results attention(const InferredCall& call) {
  const TensorType query = call.tensor("query");
  const TensorType key = call.tensor("key");
  const TensorType value = call.tensor("value");
  require_dtypes(query, key);
  require_dtypes(query, value);
  for (const TensorType* tensor : {&query, &key, &value}) require_min_rank(*tensor, 2);
  require_inner(call, query.sizes.back(), key.sizes.back(), query, key);
  const auto dropout = call.arguments.optional_float("dropout_p");
  Sizes sizes = query.sizes;
  if (!call.flag("enable_gqa")) {
    sizes = broadcast(broadcast(batch_of(query), batch_of(key), call.hints), batch_of(value), call.hints);
    sizes.insert(sizes.end(), query.sizes.end() - 2, query.sizes.end());
  }
  sizes.back() = value.sizes.back();
  TensorType result = contiguous_like(query, std::move(sizes));
  // Otherwise torch decomposes it into matrix products.
  const bool is_fused = query.sizes.size() == 4 && result.sizes == query.sizes && dropout.value_or(0) == 0 &&
                        !(call.has("attn_mask") && call.tensor("attn_mask").requires_grad);
  if (is_fused) result = dense_like(query, query.dtype, call.hints);
  return {result};
}

Results fused_attention(const InferredCall& call) {
  const TensorType query = call.tensor("query", 4);
  const Sizes& sizes = query.sizes;
  const bool is_double = query.dtype == ScalarType::DOUBLE;
  TensorType sums = contiguous_like(query, is_double ? ScalarType::DOUBLE : ScalarType::FLOAT,
                                    {sizes[0], sizes[2], sizes[1]});
  std::swap(sums.sizes[1], sums.sizes[2]);
  std::swap(sums.strides[1], sums.strides[2]);
  return {dense_like(query, query.dtype, call.hints), sums};
}

}  // namespace

NamedRules product_rules() {
  return {
      {matmul, "matmul dot vdot linalg_matmul"},
      {mm<2>, "mm"},
      {mm<3>, "bmm"},
      {mv, "mv"},
      {added<2>, "addmm"},
      {added<3>, "baddbmm"},
      {linear, "linear"},
      {attention, "scaled_dot_product_attention"},
      {outer, "outer ger"},
      {inner, "inner"},
      {vecdot, "linalg_vecdot"},
      {integer_product, "_int_mm"},
      {packed_product, "_weight_int8pack_mm _weight_int4pack_mm_for_cpu"},
      {scaled_product, "_scaled_mm"},
      {added_vector, "addmv"},
      {summed_batch, "addbmm"},
      {chain, "linalg_multi_dot chain_matmul"},
      {kron, "kron"},
      {distances, "cdist _cdist_forward _euclidean_dist"},
      {added_outer, "addr"},
      {fused_attention, "_scaled_dot_product_flash_attention_for_cpu"},
      {bilinear, "bilinear"},
      {cross, "linalg_cross cross"},
  };
}

}  // namespace pt2
