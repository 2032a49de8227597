#include "pt2/infer/rules.h"

#include <algorithm>

#include "pt2/nodes/einsum_equation.h"
#include "pt2/text/words.h"

namespace pt2 {
namespace {

void require_inner(const InferredCall& call, const Size& a, const Size& b, const TensorType& left,
                   const TensorType& right) {
  if (may_equal(a, b, call.hints)) return;
  fail_shapes("cannot multiply shapes ", left.sizes, " and ", right.sizes);
}

void require_dtypes(const TensorType& a, const TensorType& b) {
  if (a.dtype == b.dtype) return;
  fail_inference("expected operands of the same dtype, got ", a.dtype, " and ", b.dtype);
}

Sizes batch_of(const TensorType& tensor) {
  return but_last(tensor.sizes, std::min<std::size_t>(tensor.sizes.size(), 2));
}

void require_broadcastable(const InferredCall& call, const TensorType& tensor, const Sizes& sizes) {
  if (broadcast(sizes, tensor.sizes, call.hints) == sizes) return;
  fail_shapes("cannot broadcast shape ", tensor.sizes, " to ", sizes);
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

/// By words: the arguments, each with its rank unless any will do.
Results product_of(const InferredCall& call) {
  std::vector<TensorType> operands;
  for_each_word(call.words, [&](std::string_view word) {
    const std::string_view name = word.substr(0, word.find(':'));
    TensorType& operand = operands.emplace_back(call.tensor(name));
    if (name != word) require_rank(operand, static_cast<std::size_t>(word.back() - '0'));
  });
  const TensorType& a = operands.at(0);
  const TensorType& b = operands.at(1);
  if (call.op.target.find(".bmm.") != std::string::npos) require_inner(call, a.sizes[0], b.sizes[0], a, b);
  require_dtypes(a, b);
  return {contiguous_like(a, product_sizes(call, a, b))};
}

Results added(const InferredCall& call, const TensorType& self) {
  Results result = product_of(call);
  const TensorType& sum = std::get<TensorType>(result.front());
  require_dtypes(sum, self);
  require_broadcastable(call, self, sum.sizes);
  return result;
}

Results linear(const InferredCall& call, const TensorType& input, const TensorType& weight) {
  require_dtypes(input, weight);
  require_min_rank(input, 1);
  require_min_rank(weight, 1);
  if (weight.sizes.size() > 2) require_rank(weight, 2);
  require_inner(call, input.sizes.back(), weight.sizes.back(), input, weight);
  Sizes sizes = but_last(input.sizes, 1);
  if (weight.sizes.size() == 2) sizes.push_back(weight.sizes[0]);
  if (call.has("bias")) {
    const TensorType bias = call.tensor("bias");
    require_dtypes(input, bias);
    require_broadcastable(call, bias, sizes);
  }
  return {contiguous_like(input, std::move(sizes))};
}

/// Of `self` and `vec2`, or added to `self`.
Results outer(const InferredCall& call, const TensorType& self) {
  const bool is_added = call.declares("vec1");
  const TensorType a = call.tensor(is_added ? "vec1" : "self", 1);
  const TensorType b = call.tensor("vec2", 1);
  return {contiguous_like(self, is_added ? self.dtype : promote(a.dtype, b.dtype), {a.sizes[0], b.sizes[0]})};
}

Results inner(const InferredCall& call, const TensorType& a, const TensorType& b) {
  if (a.sizes.empty() || b.sizes.empty()) return {combined({a, b}, promote(a.dtype, b.dtype), call.hints)};
  require_dtypes(a, b);
  require_inner(call, a.sizes.back(), b.sizes.back(), a, b);
  return {contiguous_like(a, concat(but_last(a.sizes, 1), but_last(b.sizes, 1)))};
}

Results vecdot(const InferredCall& call, const TensorType& a, const TensorType& b) {
  const Sizes sizes = broadcast(a.sizes, b.sizes, call.hints);
  if (sizes.empty()) return {};
  return {contiguous_like(a, replaced(sizes, call.dim("dim", sizes.size()), 1, {}))};
}

/// The packed weight has a row for each output.
Results packed_product(const InferredCall&, const TensorType& self, const TensorType& weight) {
  require_rank(self, 2);
  require_rank(weight, 2);
  return {contiguous_like(self, {self.sizes[0], weight.sizes[0]})};
}

/// Of integers or scaled floats.
Results product_of_dtype(const InferredCall& call, const TensorType& a, const TensorType& b) {
  const ScalarType dtype = call.declares("out_dtype") ? call.dtype(a.dtype, "out_dtype") : ScalarType::INT;
  return {contiguous_like(a, dtype, product_sizes(call, a, b))};
}

Results summed_batch(const InferredCall& call, const TensorType& self, const TensorType& a,
                     const TensorType& b) {
  require_rank(a, 3);
  require_rank(b, 3);
  require_sizes(call, "batch2", b.sizes, {a.sizes[0], a.sizes[2], b.sizes[2]});
  const Sizes sizes = {a.sizes[1], b.sizes[2]};
  require_broadcastable(call, self, sizes);
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

Results kron(const InferredCall&, const TensorType& a, const TensorType& b) {
  return {contiguous_like(a, promote(a.dtype, b.dtype), multiplied_sizes(a.sizes, b.sizes))};
}

Results distances(const InferredCall& call, const TensorType& a, const TensorType& b) {
  require_min_rank(a, 2);
  require_min_rank(b, 2);
  require_inner(call, a.sizes.back(), b.sizes.back(), a, b);
  const Sizes batch = broadcast(batch_of(a), batch_of(b), call.hints);
  return {contiguous_like(a, concat(batch, {*(a.sizes.end() - 2), *(b.sizes.end() - 2)}))};
}

Results bilinear(const InferredCall& call, const TensorType& input, const TensorType& other,
                 const TensorType& weight) {
  Sizes sizes = input.sizes;
  require_min_rank(input, 1);
  require_min_rank(other, 1);
  require_rank(weight, 3);
  require_sizes(call, "weight", weight.sizes, {weight.sizes[0], sizes.back(), other.sizes.back()});
  sizes.back() = weight.sizes[0];
  return {contiguous_like(input, std::move(sizes))};
}

Results attention(const InferredCall& call, const TensorType& query, const TensorType& key,
                  const TensorType& value) {
  require_dtypes(query, key);
  require_dtypes(query, value);
  for (const TensorType* tensor : {&query, &key, &value}) require_min_rank(*tensor, 2);
  require_inner(call, query.sizes.back(), key.sizes.back(), query, key);
  const auto dropout = call.arguments.unless_none(&NodeArguments::get_float, "dropout_p");
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

Results fused_attention(const InferredCall& call, const TensorType& query) {
  require_rank(query, 4);
  const Sizes& sizes = query.sizes;
  const bool is_double = query.dtype == ScalarType::DOUBLE;
  TensorType sums = contiguous_like(query, is_double ? ScalarType::DOUBLE : ScalarType::FLOAT,
                                    {sizes[0], sizes[2], sizes[1]});
  swap_dims(sums, 1, 2);
  return {dense_like(query, query.dtype, call.hints), sums};
}

TensorType arranged(const TensorType& tensor, const std::string& labels, const std::string& order) {
  TensorType result = tensor;
  result.sizes.assign(order.size(), Size(1));
  result.strides.assign(order.size(), Size(0));
  for (std::size_t dim = 0; dim < labels.size(); ++dim) {
    const std::size_t at = order.find(labels[dim]);
    result.sizes[at] = tensor.sizes[dim];
    result.strides[at] = result.strides[at] + tensor.strides[dim];  // a repeated label is a diagonal
  }
  return result;
}

/// Those of the result come first.
std::string label_order(const EinsumEquation& equation) {
  std::string order = equation.result;
  std::string labels;
  for (const std::string& operand : equation.operands) labels += operand;
  std::sort(labels.begin(), labels.end());
  for (const char label : labels) {
    if (order.find(label) == order.npos) order += label;
  }
  require_few(order.size(), kMostDims, " dims");
  return order;
}

TensorType multiplied(const InferredCall& call, const TensorType& a, const TensorType& b,
                      const std::vector<bool>& is_summed) {
  if (std::find(is_summed.begin(), is_summed.end(), true) == is_summed.end()) {
    return combined({a, b}, promote(a.dtype, b.dtype), call.hints);
  }
  std::vector<std::size_t> groups[4];
  Sizes sizes(a.sizes.size());
  for (std::size_t i = 0; i < a.sizes.size(); ++i) {
    const bool is_left = !a.sizes[i].is(1);
    const bool is_right = !b.sizes[i].is(1);
    groups[is_summed[i] ? 2 : is_left && is_right ? 0 : is_left ? 1 : 3].push_back(i);
    sizes[i] = is_summed[i] ? Size(1) : is_left ? a.sizes[i] : b.sizes[i];
  }
  // The operands are swapped if the dims of the right operand all precede the dims of the left operand.
  if (!groups[1].empty() && !groups[3].empty() && groups[3].back() < groups[1].front()) {
    std::swap(groups[1], groups[3]);
  }
  std::vector<std::size_t> order;
  for (const auto& dims : groups) order.insert(order.end(), dims.begin(), dims.end());
  TensorType result = contiguous_like(a, sizes);
  result.strides = strides_in(order, sizes);
  return result;
}

Results einsum(const InferredCall& call) {
  const std::vector<TensorType> tensors = call.tensors("tensors");
  require(!tensors.empty(), "expected a non-empty list of tensors");
  const auto ranks = mapped(tensors, [](const TensorType& tensor) { return tensor.sizes.size(); });
  const EinsumEquation equation = parse_einsum(call.arguments.get_string("equation"), ranks);
  const std::string order = label_order(equation);
  std::vector<TensorType> operands;
  Sizes sizes;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    operands.push_back(arranged(tensors[i], equation.operands[i], order));
    sizes = broadcast(sizes, operands.back().sizes, call.hints);
  }
  const std::size_t kept = equation.result.size();
  const bool is_one = operands.size() == 1 && kept < order.size();
  std::vector<std::size_t> counts(order.size());
  for (const TensorType& operand : operands) {
    for (std::size_t dim = 0; dim < order.size(); ++dim) counts[dim] += operand.sizes[dim].is(1) ? 0 : 1;
  }
  // Without a path, the product so far is the first operand.
  const std::vector<std::int64_t> path =
      call.has("path") ? call.arguments.get_ints("path") : std::vector<std::int64_t>();
  const auto taken = [&](std::size_t step) {
    const std::int64_t at = step < path.size() ? path[step] : static_cast<std::int64_t>(step % 2);
    if (at < 0 || static_cast<std::size_t>(at) >= operands.size())
      fail_inference("path: operand ", at, " is not one of ", operands.size());
    return static_cast<std::size_t>(at);
  };
  for (std::size_t step = 0; operands.size() > 1; step += 2) {
    const auto [first, second] = std::minmax({taken(step), taken(step + 1)});
    require(first != second, "path: expected two operands in each step");
    TensorType left = operands[first];
    TensorType right = operands[second];
    operands.erase(operands.begin() + static_cast<std::ptrdiff_t>(second));
    operands.erase(operands.begin() + static_cast<std::ptrdiff_t>(first));
    std::vector<bool> is_summed(order.size());
    for (std::size_t dim = kept; dim < order.size(); ++dim) {
      const bool in_left = !left.sizes[dim].is(1);
      const bool in_right = !right.sizes[dim].is(1);
      if (in_left && in_right) {
        is_summed[dim] = --counts[dim] == 1;
        if (is_summed[dim]) counts[dim] = 0;
      } else if (counts[dim] == 1 && (in_left || in_right)) {
        TensorType& only = in_left ? left : right;
        only.sizes[dim] = 1;
        only = contiguous_like(only, only.sizes);
        counts[dim] = 0;
      }
    }
    const auto place = path.empty() ? operands.begin() : operands.end();
    operands.insert(place, multiplied(call, left, right, is_summed));
  }
  TensorType result = operands.front();
  result.sizes.resize(kept);
  result.strides.resize(kept);
  if (is_one) result = contiguous_like(result, result.sizes);
  return {result};
}

}  // namespace

NamedRules product_rules() {
  return {
      {product_of, "self other", "matmul linalg_matmul vdot"},
      {product_of, "self tensor", "dot"},
      {product_of, "self:2 mat2:2", "mm"},
      {product_of, "self:3 mat2:3", "bmm"},
      {product_of, "self:2 vec", "mv"},
      {added, "mat1:2 mat2:2", "addmm"},
      {added, "batch1:3 batch2:3", "baddbmm"},
      {linear, "linear"},
      {attention, "scaled_dot_product_attention"},
      {outer, "outer ger addr"},
      {inner, "inner"},
      {vecdot, "linalg_vecdot"},
      {packed_product, "_weight_int8pack_mm _weight_int4pack_mm_for_cpu"},
      {product_of_dtype, "_int_mm _scaled_mm"},
      {product_of, "mat vec", "addmv"},
      {summed_batch, "addbmm"},
      {chain, "linalg_multi_dot chain_matmul"},
      {kron, "kron"},
      {distances, "cdist _cdist_forward _euclidean_dist"},
      {fused_attention, "_scaled_dot_product_flash_attention_for_cpu"},
      {bilinear, "bilinear"},
      {described, "broadcast other", "linalg_cross cross"},
      {einsum, "einsum"},
  };
}

}  // namespace pt2
