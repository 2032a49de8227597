// Results of products of matrices and of what is made of them.
#include "pt2/analysis/infer/rules.h"

#include <utility>

#include "schemagen/value/error.h"

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

std::vector<ValueType> attention(const InferredCall& call) {
  const TensorType query = call.tensor("query");
  const TensorType key = call.tensor("key");
  const TensorType value = call.tensor("value");
  require_dtypes(query, key);
  require_dtypes(query, value);
  require(query.sizes.size() >= 2 && key.sizes.size() >= 2 && value.sizes.size() >= 2,
          "query, key and value have two dims at least");
  require_inner(query.sizes.back(), key.sizes.back(), query, key);
  std::vector<Size> sizes = query.sizes;
  sizes.back() = value.sizes.back();
  TensorType result = contiguous_like(query, std::move(sizes));
  if (result.sizes == query.sizes) result = dense_like(query, query.dtype, call.hints);
  return {result};
}

}  // namespace

const NamedRules& product_rules() {
  static const NamedRules rules = {
      {"matmul", matmul},    {"dot", matmul},    {"mm", mm<2>},
      {"bmm", mm<3>},        {"mv", mv},         {"addmm", added<2>},
      {"baddbmm", added<3>}, {"linear", linear}, {"scaled_dot_product_attention", attention}};
  return rules;
}

}  // namespace pt2
