#include "pt2/infer/rules.h"

#include <algorithm>
#include <utility>

#include "schemagen/base/error.h"

namespace pt2 {
namespace {

std::vector<TensorType> tensors_of(const InferredCall& call) {
  std::vector<TensorType> tensors = call.tensors("tensors");
  require(!tensors.empty(), "expected a non-empty list of tensors");
  return tensors;
}

ScalarType common_dtype(const std::vector<TensorType>& tensors) {
  ScalarType dtype = tensors.front().dtype;
  for (const TensorType& tensor : tensors) dtype = promote(dtype, tensor.dtype);
  return dtype;
}

/// torch skips tensors of shape [0].
TensorType joined(const std::vector<TensorType>& tensors, std::int64_t number, const Bindings& hints) {
  const auto is_nothing = [](const TensorType& t) { return t.sizes.size() == 1 && t.sizes[0].is(0); };
  const ScalarType dtype = common_dtype(tensors);
  const auto first = std::find_if_not(tensors.begin(), tensors.end(), is_nothing);
  if (first == tensors.end()) return contiguous_like(tensors.front(), dtype, {Size(0)});
  std::vector<Size> sizes = first->sizes;
  require(!sizes.empty(), "cannot concatenate scalars; use 'stack'");
  const std::size_t dim = InferredCall::dim_of(number, sizes.size());
  for (auto tensor = first + 1; tensor != tensors.end(); ++tensor) {
    if (is_nothing(*tensor)) continue;
    std::vector<Size> other = tensor->sizes;
    if (other.size() == sizes.size()) other[dim] = sizes[dim];
    if (other != sizes) {
      fail_inference("cannot concatenate shapes " + sizes_text(sizes) + " and " + sizes_text(tensor->sizes) +
                     " along dim " + std::to_string(dim));
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
  return {joined(tensors_of(call), call.arguments.get_int("dim"), call.hints)};
}

std::vector<ValueType> stack(const InferredCall& call) {
  const std::vector<TensorType> tensors = tensors_of(call);
  std::vector<Size> sizes = tensors.front().sizes;
  for (const TensorType& tensor : tensors) {
    if (tensor.sizes == sizes) continue;
    fail_inference("cannot stack shapes " + sizes_text(sizes) + " and " + sizes_text(tensor.sizes));
  }
  const std::size_t dim = call.dim("dim", sizes.size() + 1);
  sizes.insert(sizes.begin() + static_cast<std::ptrdiff_t>(dim),
               Size(static_cast<std::int64_t>(tensors.size())));
  return {contiguous_like(tensors.front(), common_dtype(tensors), std::move(sizes))};
}

std::vector<ValueType> gather(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  const TensorType index = call.tensor("index");
  require_rank(index, self.sizes.size());
  return {contiguous_like(self, index.sizes)};
}

std::vector<ValueType> index_select(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  const TensorType index = call.tensor("index");
  if (!index.sizes.empty()) require_rank(index, 1);
  std::vector<Size> sizes = self.sizes;
  if (!sizes.empty()) sizes[call.dim("dim", sizes.size())] = index.sizes.empty() ? Size(1) : index.sizes[0];
  return {contiguous_like(self, std::move(sizes))};
}

std::vector<ValueType> taken(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  const TensorType index = call.tensor(call.declares("index") ? "index" : "indices");
  if (!call.declares("dim")) return {contiguous_like(self, index.sizes)};
  if (!call.has("dim")) return {contiguous_like(self, {element_count(index.sizes)})};
  require_min_rank(self, 1);
  std::vector<Size> sizes = self.sizes;
  const std::size_t dim = call.dim("dim", sizes.size());
  require_rank(index, sizes.size());
  std::vector<Size> places = index.sizes;
  const Size count = places[dim];
  sizes[dim] = places[dim] = 1;
  sizes = broadcast(sizes, places);
  sizes[dim] = count;
  return {contiguous_like(self, std::move(sizes))};
}

/// The common shape of the indices takes their place, or comes first if other dims separate them: `self[:, i,
/// :, j]`.
std::vector<ValueType> index(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  const auto indices = call.arguments.optional_tensors("indices");
  require_min_rank(self, indices.size());
  std::vector<Size> common;
  TensorType result = self;  // stride 0 does not affect the order in memory
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
            "the size of the result depends on the data of a bool index");
    common = broadcast(common, own.sizes);
    places.push_back(i);
  }
  require(!places.empty(), "expected at least one index");
  const bool is_block = places.back() - places.front() + 1 == places.size();
  const auto at = static_cast<std::ptrdiff_t>(is_block ? places.front() : 0);
  result.sizes.insert(result.sizes.begin() + at, common.begin(), common.end());
  result.strides.insert(result.strides.begin() + at, common.size(), Size(0));
  return {dense_like(result, self.dtype, call.hints)};
}

std::vector<ValueType> embedding(const InferredCall& call) {
  const TensorType weight = call.tensor("weight");
  std::vector<Size> sizes = call.tensor("indices").sizes;
  require_rank(weight, 2);
  sizes.push_back(weight.sizes[1]);
  return {contiguous_like(weight, std::move(sizes))};
}

/// Strides stay unless elements overlap. Source: clone_preserve_strides() in aten/native/TensorShape.cpp.
std::vector<ValueType> scattered(const InferredCall& call) {
  TensorType self = call.tensor("self");
  for (std::size_t i = 0; i < self.sizes.size(); ++i) {
    const bool is_one = self.sizes[i].is(0) || self.sizes[i].is(1);
    if (self.strides[i].is(0) && !is_one) return {dense_like(self, self.dtype, call.hints)};
  }
  return {self};
}

std::vector<ValueType> histogram(const InferredCall& call) {
  return {contiguous_like(call.tensor("self"), {call.size("bins")})};
}

std::vector<ValueType> one_hot(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  const Size classes = call.size("num_classes");
  if (classes.is(-1)) return {};  // the number of classes depends on the data
  std::vector<Size> sizes = self.sizes;
  sizes.push_back(classes);
  return {contiguous_like(self, std::move(sizes))};
}

std::vector<ValueType> repeated(const InferredCall& call) {
  if (!call.declares("self")) return {};
  const TensorType self = call.tensor("self");
  const bool is_tensor = call.arguments.at("repeats").value().is<Argument::as_tensor>();
  if (is_tensor && !call.has("output_size")) return {};  // the size depends on the data
  std::vector<Size> sizes = self.sizes;
  std::size_t dim = 0;
  if (call.has("dim")) {
    require_min_rank(self, 1);
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

/// torch reshapes tensors of a rank below `MinRank`.
template <std::size_t Dim, std::size_t MinRank>
std::vector<ValueType> stacked(const InferredCall& call) {
  const std::vector<TensorType> tensors = tensors_of(call);
  const std::size_t dim = MinRank == 1 && tensors.front().sizes.size() == 1 ? 0 : Dim;
  std::vector<Size> sizes;
  for (const TensorType& tensor : tensors) {
    std::vector<Size> own = tensor.sizes;
    if (own.size() < MinRank || own.size() <= dim) return {};
    if (!sizes.empty()) own[dim] = own[dim] + sizes[dim];
    sizes = std::move(own);
  }
  return {contiguous_like(tensors.front(), common_dtype(tensors), std::move(sizes))};
}

std::vector<Size> padded_sizes(const TensorType& self, const std::vector<Size>& padding) {
  std::vector<Size> sizes = self.sizes;
  if (padding.size() % 2 != 0 || padding.size() / 2 > sizes.size()) {
    fail_inference("expected 2 padding sizes per dim, got " + std::to_string(padding.size()) + " for shape " +
                   sizes_text(sizes));
  }
  for (std::size_t i = 0; i < padding.size() / 2; ++i) {
    Size& size = sizes[sizes.size() - 1 - i];
    size = size + padding[2 * i] + padding[2 * i + 1];
  }
  return sizes;
}

std::vector<ValueType> padded_images(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  return {images_like(call, self, padded_sizes(self, call.sizes("padding")))};
}

std::vector<ValueType> embedding_bag(const InferredCall& call) {
  const TensorType weight = call.tensor("weight", 2);
  const TensorType offsets = call.tensor("offsets", 1);
  if (call.op.returns.size() != 1 || call.flag("include_last_offset")) return {};
  return {contiguous_like(weight, {offsets.sizes[0], weight.sizes[1]})};
}

std::vector<ValueType> searched(const InferredCall& call) {
  if (!call.arguments.at("self").value().is<Argument::as_tensor>()) return {};
  const TensorType self = call.tensor("self");
  return {contiguous_like(self, call.flag("out_int32") ? ScalarType::INT : ScalarType::LONG, self.sizes)};
}

/// Both halves of glu have the strides of the whole tensor.
std::vector<ValueType> halved(const InferredCall& call) {
  TensorType self = call.tensor("self");
  require_min_rank(self, 1);
  Size& size = self.sizes[call.dim("dim", self.sizes.size())];
  size = floor_div(size, 2);
  return {dense_like(self, self.dtype, call.hints)};
}

std::vector<ValueType> membership(const InferredCall& call) {
  if (!call.arguments.at("elements").value().is<Argument::as_tensor>()) return {};
  const TensorType elements = call.tensor("elements");
  return {contiguous_like(elements, ScalarType::BOOL, elements.sizes)};
}

std::vector<ValueType> block_diagonal(const InferredCall& call) {
  std::vector<Size> sizes = {0, 0};
  const std::vector<TensorType> tensors = tensors_of(call);
  for (const TensorType& tensor : tensors) {
    const std::size_t rank = tensor.sizes.size();
    sizes[0] = sizes[0] + (rank == 2 ? tensor.sizes[0] : Size(1));
    sizes[1] = sizes[1] + (rank == 0 ? Size(1) : tensor.sizes.back());
  }
  return {contiguous_like(tensors.front(), std::move(sizes))};
}

/// Source: diff() in ATen/native/ReductionOps.cpp.
std::vector<ValueType> differences(const InferredCall& call) {
  TensorType self = call.tensor("self");
  const std::int64_t n = call.arguments.get_int("n");
  require_min_rank(self, 1);
  require_at_least("n", n, 0);
  const std::size_t dim = call.dim("dim", self.sizes.size());
  if (n == 0) return {dense_like(self, self.dtype, call.hints)};  // ignores prepend and append
  std::vector<TensorType> parts;
  for (const char* const name : {"prepend", "append"}) {
    if (std::string_view(name) == "append") parts.push_back(self);
    if (!call.has(name)) continue;
    require_rank(call.tensor(name), self.sizes.size());
    parts.push_back(call.tensor(name));
  }
  if (parts.size() > 1) self = joined(parts, static_cast<std::int64_t>(dim), call.hints);
  const auto size = self.sizes[dim].number();
  const std::int64_t times = size ? std::min(n, *size) : n;
  if (times == 0) return {self};  // torch returns its input
  // Subtracts two slices of the last result in each step. Only the first step changes the order of dims.
  for (const std::int64_t less : {std::int64_t{1}, times - 1}) {
    if (less == 0) continue;
    self.sizes[dim] = self.sizes[dim] - Size(less);
    self = combined({self, self}, self.dtype, call.hints);
  }
  // torch treats empty slices as contiguous.
  if (element_count(self.sizes).is(0)) return {contiguous_like(self, self.sizes)};
  return {self};
}

std::vector<ValueType> rotated(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  require_min_rank(self, 2);
  const std::vector<std::int64_t> dims = call.arguments.get_ints("dims");
  if (dims.size() != 2) fail_inference("expected 2 dims, got " + std::to_string(dims.size()));
  if (call.arguments.get_int("k") % 2 == 0) return {};
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
    for (const std::size_t dim : InferredCall::dims_of(call.arguments.get_ints(name), tensor.sizes.size())) {
      if (!is_summed.empty()) is_summed[dim] = true;
    }
    for (std::size_t i = 0; i < is_summed.size(); ++i) {
      if (!is_summed[i]) sizes.push_back(tensor.sizes[i]);
    }
  };
  add(a, "dims_self");
  add(b, "dims_other");
  return {contiguous_like(a, std::move(sizes))};
}

std::vector<ValueType> diag(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  if (self.sizes.size() != 1) return {};
  const std::int64_t offset = call.arguments.get_int("diagonal");
  const Size size = self.sizes[0] + Size(offset < 0 ? -offset : offset);
  return {contiguous_like(self, {size, size})};
}

std::vector<ValueType> triangle(const InferredCall& call) {
  require_min_rank(call.first(), 2);
  return contiguous_first(call);
}

std::vector<ValueType> padded(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  const bool is_circular = call.declares("mode") && call.arguments.get_string("mode") == "circular";
  std::vector<Size> sizes = padded_sizes(self, call.sizes("pad"));
  return {is_circular ? contiguous_like(self, std::move(sizes)) : images_like(call, self, std::move(sizes))};
}

}  // namespace

NamedRules indexing_rules() {
  return {
      {cat, "cat concat concatenate"},
      {stack, "stack"},
      {gather, "gather"},
      {index_select, "index_select"},
      {index, "index _unsafe_index"},
      {embedding, "embedding"},
      {dense_first,
       "scatter scatter_add index_put index_add index_copy flip scatter_reduce index_reduce index_fill put "
       "fliplr flipud"},
      {contiguous_first, "roll channel_shuffle"},
      {triangle, "tril triu"},
      {padded, "pad constant_pad_nd"},
      {scattered, "slice_scatter copy select_scatter diagonal_scatter as_strided_scatter"},
      {halved, "glu"},
      {stacked<0, 2>, "vstack row_stack"},
      {stacked<1, 1>, "hstack"},
      {stacked<2, 3>, "dstack"},
      {stacked<1, 2>, "column_stack"},
      {membership, "isin"},
      {block_diagonal, "block_diag"},
      {differences, "diff"},
      {rotated, "rot90"},
      {drawn, "multinomial"},
      {tensordot, "tensordot"},
      {diag, "diag"},
      {histogram, "histc"},
      {one_hot, "one_hot"},
      {repeated, "repeat_interleave"},
      {tiled, "tile"},
      {taken, "take_along_dim take"},
      {embedding_bag, "embedding_bag"},
      {searched, "bucketize searchsorted"},
      {padded_images,
       "reflection_pad1d reflection_pad2d reflection_pad3d replication_pad1d replication_pad2d "
       "replication_pad3d"},
  };
}

}  // namespace pt2
