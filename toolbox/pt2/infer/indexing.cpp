// Results of operators that put tensors together, and take elements by their places.
#include "pt2/infer/rules.h"

#include <algorithm>
#include <utility>

#include "schemagen/base/error.h"

namespace pt2 {
namespace {

/// Tensors one after the other along dim `number` of the first one that has elements.
TensorType joined(const std::vector<TensorType>& tensors, std::int64_t number, const Bindings& hints) {
  require(!tensors.empty(), "there is no tensor to put together");
  const auto is_nothing = [](const TensorType& t) { return t.sizes.size() == 1 && t.sizes[0].is(0); };
  ScalarType dtype = tensors.front().dtype;
  for (const TensorType& tensor : tensors) dtype = promote(dtype, tensor.dtype);
  const auto first = std::find_if_not(tensors.begin(), tensors.end(), is_nothing);
  if (first == tensors.end()) return contiguous_like(tensors.front(), dtype, {Size(0)});
  std::vector<Size> sizes = first->sizes;
  require(!sizes.empty(), "scalars cannot be put together; 'stack' does that");
  const std::size_t dim = InferredCall::dim_of(number, sizes.size());
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
  TensorType result = contiguous_like(*first, dtype, std::move(sizes));
  const auto has_last = [&](const TensorType& tensor) { return is_channels_last(tensor, hints); };
  if (std::all_of(tensors.begin(), tensors.end(), has_last)) {
    result.strides = channels_last_strides(result.sizes);
  }
  return result;
}

std::vector<ValueType> cat(const InferredCall& call) {
  return {joined(call.tensors("tensors"), call.arguments.get_int("dim"), call.hints)};
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

/// The elements at places of the flat tensor, or along a dim.
std::vector<ValueType> taken(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  const TensorType index = call.tensor(call.declares("index") ? "index" : "indices");
  if (!call.declares("dim")) return {contiguous_like(self, index.sizes)};
  if (!call.has("dim")) return {contiguous_like(self, {element_count(index.sizes)})};
  std::vector<Size> sizes = self.sizes;
  const std::size_t dim = call.dim("dim", sizes.size());
  require(index.sizes.size() == sizes.size(), "self and index are of different ranks");
  std::vector<Size> places = index.sizes;
  const Size count = places[dim];
  sizes[dim] = places[dim] = 1;
  sizes = broadcast(sizes, places);
  sizes[dim] = count;
  return {contiguous_like(self, std::move(sizes))};
}

/// `self[:, i, :, j]`: the common shape of the indices stands where they stood, or first if there was a dim
/// between them.
std::vector<ValueType> index(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  const auto indices = call.arguments.optional_tensors("indices");
  require(indices.size() <= self.sizes.size(), "there are more indices than dims");
  std::vector<Size> common;
  TensorType result = self;  // as if the dims of the indices had no place of their own in memory
  result.sizes.clear();
  result.strides.clear();
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < self.sizes.size(); ++i) {
    if (i >= indices.size() || !indices[i]) {
      result.sizes.push_back(self.sizes[i]);
      result.strides.push_back(self.strides[i]);
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
  const auto at = static_cast<std::ptrdiff_t>(is_block ? places.front() : 0);
  result.sizes.insert(result.sizes.begin() + at, common.begin(), common.end());
  result.strides.insert(result.strides.begin() + at, common.size(), Size(0));
  return {dense_like(result, self.dtype, call.hints)};
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

/// A copy of `self` and of its storage, gaps and all, with other elements in a part of it; without gaps if
/// elements of it share their memory. Source: clone_preserve_strides() in aten/native/TensorShape.cpp.
std::vector<ValueType> scattered(const InferredCall& call) {
  TensorType self = call.tensor("self");
  for (std::size_t i = 0; i < self.sizes.size(); ++i) {
    const bool is_one = self.sizes[i].is(0) || self.sizes[i].is(1);
    if (self.strides[i].is(0) && !is_one) return {dense_like(self, self.dtype, call.hints)};
  }
  return {self};
}

/// How often values occur, by ranges.
std::vector<ValueType> histogram(const InferredCall& call) {
  return {contiguous_like(call.tensor("self"), {call.size("bins")})};
}

/// Classes as vectors with a 1.
std::vector<ValueType> one_hot(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  const Size classes = call.size("num_classes");
  if (classes.is(-1)) return {};  // the data tells
  std::vector<Size> sizes = self.sizes;
  sizes.push_back(classes);
  return {contiguous_like(self, std::move(sizes))};
}

/// Each element so many times, along a dim or all of them.
std::vector<ValueType> repeated(const InferredCall& call) {
  if (!call.declares("self")) return {};
  const TensorType self = call.tensor("self");
  const bool is_tensor = call.arguments.at("repeats").value().is<Argument::as_tensor>();
  if (is_tensor && !call.has("output_size")) return {};  // the data tells
  std::vector<Size> sizes = self.sizes;
  std::size_t dim = 0;
  if (call.has("dim")) {
    dim = call.dim("dim", sizes.size());
  } else {
    sizes = {element_count(self.sizes)};
  }
  sizes[dim] = call.has("output_size") ? call.size("output_size") : sizes[dim] * call.size("repeats");
  return {contiguous_like(self, std::move(sizes))};
}

std::vector<ValueType> tiled(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  std::vector<Size> repeats = call.sizes("dims");
  std::vector<Size> sizes = self.sizes;
  while (repeats.size() < sizes.size()) repeats.insert(repeats.begin(), Size(1));
  while (sizes.size() < repeats.size()) sizes.insert(sizes.begin(), Size(1));
  for (std::size_t i = 0; i < sizes.size(); ++i) sizes[i] = sizes[i] * repeats[i];
  return {contiguous_like(self, std::move(sizes))};
}

std::vector<ValueType> put_together(const InferredCall& call, std::size_t dim, std::size_t least_rank) {
  std::vector<TensorType> tensors = call.tensors("tensors");
  require(!tensors.empty(), "there is no tensor to put together");
  std::vector<Size> sizes;
  ScalarType dtype = tensors.front().dtype;
  for (const TensorType& tensor : tensors) {
    std::vector<Size> own = tensor.sizes;
    if (own.size() < least_rank) return {};
    dtype = promote(dtype, tensor.dtype);
    if (!sizes.empty()) own[dim] = own[dim] + sizes[dim];
    sizes = std::move(own);
  }
  return {contiguous_like(tensors.front(), dtype, std::move(sizes))};
}

std::vector<ValueType> vstack(const InferredCall& call) {
  return put_together(call, 0, 2);
}

std::vector<ValueType> hstack(const InferredCall& call) {
  return put_together(call, call.tensors("tensors").front().sizes.size() == 1 ? 0 : 1, 1);
}

/// With as much more at both ends of the last dims as `padding` says, from the last dim on.
std::vector<Size> padded_sizes(const TensorType& self, const std::vector<Size>& padding) {
  std::vector<Size> sizes = self.sizes;
  require(padding.size() % 2 == 0 && padding.size() / 2 <= sizes.size(),
          "a padding has two sizes for each dim");
  for (std::size_t i = 0; i < padding.size() / 2; ++i) {
    Size& size = sizes[sizes.size() - 1 - i];
    size = size + padding[2 * i] + padding[2 * i + 1];
  }
  return sizes;
}

/// Borders that mirror or repeat the inside.
std::vector<ValueType> padded_images(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  return {images_like(call, self, padded_sizes(self, call.sizes("padding")))};
}

/// Sums, means or largest of the rows that a bag names.
std::vector<ValueType> embedding_bag(const InferredCall& call) {
  const TensorType weight = call.tensor("weight");
  const TensorType offsets = call.tensor("offsets");
  if (call.op.returns.size() != 1 || call.flag("include_last_offset")) return {};
  return {contiguous_like(weight, {offsets.sizes.at(0), weight.sizes.at(1)})};
}

std::vector<ValueType> searched(const InferredCall& call) {
  const char* const name = "self";
  if (!call.arguments.at(name).value().is<Argument::as_tensor>()) return {};
  const TensorType self = call.tensor(name);
  return {contiguous_like(self, call.flag("out_int32") ? ScalarType::INT : ScalarType::LONG, self.sizes)};
}

std::vector<ValueType> masked_scatter(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  return {contiguous_like(self, broadcast(self.sizes, call.tensor("mask").sizes))};
}

/// One half of a dim, times what the other lets through.
std::vector<ValueType> halved(const InferredCall& call) {
  TensorType self = call.tensor("self");
  require(!self.sizes.empty(), "a scalar has no halves");
  const std::size_t dim = call.dim("dim", self.sizes.size());
  std::vector<Size> sizes = self.sizes;
  sizes[dim] = floor_div(sizes[dim], 2);
  self.sizes = std::move(sizes);  // of a half, which lies where it was
  return {dense_like(self, self.dtype, call.hints)};
}

std::vector<ValueType> dstack(const InferredCall& call) {
  return put_together(call, 2, 3);
}

std::vector<ValueType> column_stack(const InferredCall& call) {
  return put_together(call, 1, 2);
}

std::vector<ValueType> membership(const InferredCall& call) {
  if (!call.arguments.at("elements").value().is<Argument::as_tensor>()) return {};
  const TensorType elements = call.tensor("elements");
  return {contiguous_like(elements, ScalarType::BOOL, elements.sizes)};
}

std::vector<ValueType> block_diagonal(const InferredCall& call) {
  std::vector<Size> sizes = {0, 0};
  const std::vector<TensorType> tensors = call.tensors("tensors");
  require(!tensors.empty(), "there is no tensor to put together");
  for (const TensorType& tensor : tensors) {
    const std::size_t rank = tensor.sizes.size();
    sizes[0] = sizes[0] + (rank == 2 ? tensor.sizes[0] : Size(1));
    sizes[1] = sizes[1] + (rank == 0 ? Size(1) : tensor.sizes.back());
  }
  return {contiguous_like(tensors.front(), std::move(sizes))};
}

/// `n` times each element minus the one before it. Source: diff() in ATen/native/ReductionOps.cpp.
std::vector<ValueType> differences(const InferredCall& call) {
  TensorType self = call.tensor("self");
  const std::int64_t n = call.arguments.get_int("n");
  require(!self.sizes.empty(), "diff: expected a tensor of rank 1 or more, got a scalar");
  require(n >= 0, "diff: n is negative");
  const std::size_t dim = call.dim("dim", self.sizes.size());
  if (n == 0) return {dense_like(self, self.dtype, call.hints)};  // a copy, prepend and append aside
  std::vector<TensorType> parts;
  for (const char* const name : {"prepend", "append"}) {
    if (std::string_view(name) == "append") parts.push_back(self);
    if (!call.has(name)) continue;
    require(call.tensor(name).sizes.size() == self.sizes.size(),
            "diff: prepend or append differs from the input in rank");
    parts.push_back(call.tensor(name));
  }
  if (parts.size() > 1) self = joined(parts, static_cast<std::int64_t>(dim), call.hints);
  const auto size = self.sizes[dim].number();
  const std::int64_t times = size ? std::min(n, *size) : n;
  if (times == 0) return {self};  // there is nothing to subtract, and torch returns its input
  // Each step subtracts two slices of the result of the step before; those after the first one keep the order
  // of dimensions in memory.
  for (const std::int64_t less : {std::int64_t{1}, times - 1}) {
    if (less == 0) continue;
    self.sizes[dim] = self.sizes[dim] - Size(less);
    self = combined({self, self}, self.dtype, call.hints);
  }
  // torch counts slices without elements as contiguous, whatever their strides.
  if (element_count(self.sizes).is(0)) return {contiguous_like(self, self.sizes)};
  return {self};
}

/// By quarters of a turn.
std::vector<ValueType> rotated(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  const std::vector<std::int64_t> dims = call.arguments.get_ints("dims");
  const std::int64_t turns = call.arguments.get_int("k");
  require(dims.size() == 2, "a rotation is in two dims");
  if (turns % 2 == 0) return {};
  TensorType turned = self;
  const std::size_t a = InferredCall::dim_of(dims[0], self.sizes.size());
  const std::size_t b = InferredCall::dim_of(dims[1], self.sizes.size());
  std::swap(turned.sizes[a], turned.sizes[b]);
  std::swap(turned.strides[a], turned.strides[b]);
  return {dense_like(turned, self.dtype, call.hints)};
}

std::vector<ValueType> drawn(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  std::vector<Size> sizes(self.sizes.begin(), self.sizes.end() - (self.sizes.empty() ? 0 : 1));
  sizes.push_back(call.size("num_samples"));
  return {contiguous_like(self, ScalarType::LONG, std::move(sizes))};
}

std::vector<ValueType> tensordot(const InferredCall& call) {
  const TensorType a = call.tensor("self");
  const TensorType b = call.tensor("other");
  std::vector<Size> sizes;
  const auto add = [&](const TensorType& tensor, std::string_view name) {
    std::vector<bool> is_summed(tensor.sizes.size());
    for (const std::int64_t dim : call.arguments.get_ints(name)) {
      is_summed[InferredCall::dim_of(dim, tensor.sizes.size())] = true;
    }
    for (std::size_t i = 0; i < is_summed.size(); ++i) {
      if (!is_summed[i]) sizes.push_back(tensor.sizes[i]);
    }
  };
  add(a, "dims_self");
  add(b, "dims_other");
  return {contiguous_like(a, std::move(sizes))};
}

/// A matrix with this diagonal.
std::vector<ValueType> diag(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  if (self.sizes.size() != 1) return {};
  const std::int64_t offset = call.arguments.get_int("diagonal");
  const Size size = self.sizes[0] + Size(offset < 0 ? -offset : offset);
  return {contiguous_like(self, {size, size})};
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
  const bool is_circular = call.declares("mode") && call.arguments.get_string("mode") == "circular";
  std::vector<Size> sizes = padded_sizes(self, call.sizes("pad"));
  return {is_circular ? contiguous_like(self, std::move(sizes)) : images_like(call, self, std::move(sizes))};
}

}  // namespace

// NOLINTNEXTLINE(readability-function-size): a table
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
                                   {"constant_pad_nd", padded},
                                   {"slice_scatter", scattered},
                                   {"copy", scattered},
                                   {"glu", halved},
                                   {"dstack", dstack},
                                   {"column_stack", column_stack},
                                   {"isin", membership},
                                   {"channel_shuffle", rolled},
                                   {"block_diag", block_diagonal},
                                   {"diff", differences},
                                   {"rot90", rotated},
                                   {"multinomial", drawn},
                                   {"tensordot", tensordot},
                                   {"diag", diag},
                                   {"select_scatter", scattered},
                                   {"diagonal_scatter", scattered},
                                   {"as_strided_scatter", scattered},
                                   {"scatter_reduce", like_self},
                                   {"index_reduce", like_self},
                                   {"index_fill", like_self},
                                   {"masked_scatter", masked_scatter},
                                   {"put", like_self},
                                   {"histc", histogram},
                                   {"one_hot", one_hot},
                                   {"repeat_interleave", repeated},
                                   {"tile", tiled},
                                   {"concat", cat},
                                   {"concatenate", cat},
                                   {"vstack", vstack},
                                   {"row_stack", vstack},
                                   {"hstack", hstack},
                                   {"take_along_dim", taken},
                                   {"take", taken},
                                   {"_unsafe_index", index},
                                   {"embedding_bag", embedding_bag},
                                   {"bucketize", searched},
                                   {"searchsorted", searched},
                                   {"fliplr", like_self},
                                   {"flipud", like_self},
                                   {"reflection_pad1d", padded_images},
                                   {"reflection_pad2d", padded_images},
                                   {"reflection_pad3d", padded_images},
                                   {"replication_pad1d", padded_images},
                                   {"replication_pad2d", padded_images},
                                   {"replication_pad3d", padded_images}};
  return rules;
}

}  // namespace pt2
