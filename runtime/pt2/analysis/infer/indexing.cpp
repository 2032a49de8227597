// Results of operators that put tensors together, and take elements by their places.
#include "pt2/analysis/infer/rules.h"

#include <algorithm>
#include <utility>

#include "schemagen/value/error.h"

namespace pt2 {
namespace {

std::vector<ValueType> cat(const InferredCall& call) {
  std::vector<TensorType> tensors = call.tensors("tensors");
  require(!tensors.empty(), "there is no tensor to put together");
  const auto is_nothing = [](const TensorType& t) { return t.sizes.size() == 1 && t.sizes[0].is(0); };
  ScalarType dtype = tensors.front().dtype;
  for (const TensorType& tensor : tensors) dtype = promote(dtype, tensor.dtype);
  const auto first = std::find_if_not(tensors.begin(), tensors.end(), is_nothing);
  if (first == tensors.end()) return {contiguous_like(tensors.front(), dtype, {Size(0)})};
  std::vector<Size> sizes = first->sizes;
  require(!sizes.empty(), "scalars cannot be put together; 'stack' does that");
  const std::size_t dim = call.dim("dim", sizes.size());
  for (auto tensor = first + 1; tensor != tensors.end(); ++tensor) {
    if (is_nothing(*tensor)) continue;
    std::vector<Size> other = tensor->sizes;
    if (other.size() == sizes.size()) other[dim] = sizes[dim];
    if (other != sizes) {
      throw schemagen::DataError("the shapes " + sizes_text(sizes) + " and " + sizes_text(tensor->sizes) +
                                 " do not go together");
    }
    sizes[dim] = sizes[dim] + tensor->sizes[dim];
  }
  return {contiguous_like(*first, dtype, std::move(sizes))};
}

std::vector<ValueType> stack(const InferredCall& call) {
  const std::vector<TensorType> tensors = call.tensors("tensors");
  require(!tensors.empty(), "there is no tensor to put together");
  ScalarType dtype = tensors.front().dtype;
  std::vector<Size> sizes = tensors.front().sizes;
  for (const TensorType& tensor : tensors) {
    dtype = promote(dtype, tensor.dtype);
    require(tensor.sizes == sizes, "tensors of several shapes cannot be stacked");
  }
  const std::size_t dim = call.dim("dim", sizes.size() + 1);
  sizes.insert(sizes.begin() + static_cast<std::ptrdiff_t>(dim),
               Size(static_cast<std::int64_t>(tensors.size())));
  return {contiguous_like(tensors.front(), dtype, std::move(sizes))};
}

std::vector<ValueType> gather(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  const TensorType index = call.tensor("index");
  require(self.sizes.size() == index.sizes.size(), "self and index are of different ranks");
  return {contiguous_like(self, index.sizes)};
}

std::vector<ValueType> index_select(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  const TensorType index = call.tensor("index");
  require(index.sizes.size() <= 1, "an index has one dim");
  std::vector<Size> sizes = self.sizes;
  if (!sizes.empty()) sizes[call.dim("dim", sizes.size())] = index.sizes.empty() ? Size(1) : index.sizes[0];
  return {contiguous_like(self, std::move(sizes))};
}

/// `self[:, i, :, j]`: the common shape of the indices stands where they stood, or first if there was a dim
/// between them.
std::vector<ValueType> index(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  const auto indices = call.arguments.optional_tensors("indices");
  require(indices.size() <= self.sizes.size(), "there are more indices than dims");
  std::vector<Size> common;
  std::vector<Size> sizes;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < self.sizes.size(); ++i) {
    if (i >= indices.size() || !indices[i]) {
      sizes.push_back(self.sizes[i]);
      continue;
    }
    const TensorType own = call.type_of(*indices[i]);
    require(own.dtype != ScalarType::BOOL && own.dtype != ScalarType::BYTE,
            "how many elements an index of truth values takes is not known");
    common = broadcast(common, own.sizes);
    places.push_back(i);
  }
  require(!places.empty(), "there is no index");
  const bool is_block = places.back() - places.front() + 1 == places.size();
  const std::size_t at = is_block ? places.front() : 0;
  sizes.insert(sizes.begin() + static_cast<std::ptrdiff_t>(at), common.begin(), common.end());
  return {contiguous_like(self, std::move(sizes))};
}

std::vector<ValueType> embedding(const InferredCall& call) {
  const TensorType weight = call.tensor("weight");
  std::vector<Size> sizes = call.tensor("indices").sizes;
  require(weight.sizes.size() == 2, "the weight of an embedding has two dims");
  sizes.push_back(weight.sizes[1]);
  return {contiguous_like(weight, std::move(sizes))};
}

std::vector<ValueType> like_self(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  return {dense_like(self, self.dtype, call.hints)};
}

std::vector<ValueType> rolled(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  return {contiguous_like(self, self.sizes)};
}

std::vector<ValueType> triangle(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  require(self.sizes.size() >= 2, "a triangle has two dims at least");
  return {contiguous_like(self, self.sizes)};
}

std::vector<ValueType> padded(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  const std::vector<Size> pad = call.sizes("pad");
  require(pad.size() % 2 == 0 && pad.size() / 2 <= self.sizes.size(), "a padding has two sizes for each dim");
  std::vector<Size> sizes = self.sizes;
  for (std::size_t i = 0; i < pad.size() / 2; ++i) {
    Size& size = sizes[sizes.size() - 1 - i];
    size = size + pad[2 * i] + pad[2 * i + 1];
  }
  return {contiguous_like(self, std::move(sizes))};
}

}  // namespace

const NamedRules& indexing_rules() {
  static const NamedRules rules = {{"cat", cat},
                                   {"stack", stack},
                                   {"gather", gather},
                                   {"index_select", index_select},
                                   {"index", index},
                                   {"embedding", embedding},
                                   {"scatter", like_self},
                                   {"scatter_add", like_self},
                                   {"index_put", like_self},
                                   {"index_add", like_self},
                                   {"index_copy", like_self},
                                   {"flip", like_self},
                                   {"roll", rolled},
                                   {"tril", triangle},
                                   {"triu", triangle},
                                   {"pad", padded},
                                   {"constant_pad_nd", padded}};
  return rules;
}

}  // namespace pt2
