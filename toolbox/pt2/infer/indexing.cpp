#include "pt2/infer/rules.h"

#include <algorithm>
#include <cstdlib>

namespace pt2 {
namespace {

std::vector<TensorType> tensors_of(const InferredCall& call, std::string_view name = "tensors") {
  std::vector<TensorType> tensors = call.tensors(name);
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
  Sizes sizes = first->sizes;
  require(!sizes.empty(), "cannot concatenate scalars; use 'stack'");
  const std::size_t dim = InferredCall::dim_of(number, sizes.size());
  for (auto tensor = first + 1; tensor != tensors.end(); ++tensor) {
    if (is_nothing(*tensor)) continue;
    Sizes other = tensor->sizes;
    if (other.size() == sizes.size()) other[dim] = sizes[dim];
    if (!std::equal(other.begin(), other.end(), sizes.begin(), sizes.end(),
                    [&](const Size& a, const Size& b) { return may_equal(a, b, hints); })) {
      fail_shapes("cannot concatenate shapes ", sizes, " and ", tensor->sizes, " along dim ", dim);
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

Results cat(const InferredCall& call) {
  return {joined(tensors_of(call), call.arguments.get_int("dim"), call.hints)};
}

Results stack(const InferredCall& call) {
  const std::vector<TensorType> tensors = tensors_of(call);
  Sizes sizes = tensors.front().sizes;
  for (const TensorType& tensor : tensors) {
    if (tensor.sizes == sizes) continue;
    fail_shapes("cannot stack shapes ", sizes, " and ", tensor.sizes);
  }
  const std::size_t dim = call.dim("dim", sizes.size() + 1);
  sizes = replaced(sizes, dim, 0, {static_cast<std::int64_t>(tensors.size())});
  return {contiguous_like(tensors.front(), common_dtype(tensors), std::move(sizes))};
}

Results gather(const InferredCall&, const TensorType& self, const TensorType& index) {
  require_rank(index, self.sizes.size());
  return {contiguous_like(self, index.sizes)};
}

Results index_select(const InferredCall& call, const TensorType& self, const TensorType& index) {
  if (!index.sizes.empty()) require_rank(index, 1);
  Sizes sizes = self.sizes;
  if (!sizes.empty()) sizes[call.dim("dim", sizes.size())] = index.sizes.empty() ? Size(1) : index.sizes[0];
  return {contiguous_like(self, std::move(sizes))};
}

Results taken(const InferredCall& call, const TensorType& self, const TensorType& index) {
  if (!call.declares("dim")) return {contiguous_like(self, index.sizes)};
  if (!call.has("dim")) return {contiguous_like(self, {element_count(index.sizes)})};
  require_min_rank(self, 1);
  Sizes sizes = self.sizes;
  const std::size_t dim = call.dim("dim", sizes.size());
  require_rank(index, sizes.size());
  Sizes places = index.sizes;
  const Size count = places[dim];
  sizes[dim] = places[dim] = 1;
  sizes = broadcast(sizes, places, call.hints);
  sizes[dim] = count;
  return {contiguous_like(self, std::move(sizes))};
}

/// The common shape of the indices takes their place, or comes first if other dims separate them: `self[:, i,
/// :, j]`. A mask of rank n stands for n indices, with the places of its true elements.
Results index(const InferredCall& call, const TensorType& self) {
  Sizes common;
  bool has_mask = false;
  TensorType result = self;  // stride 0 does not affect the order in memory
  result.sizes.clear();
  result.strides.clear();
  std::vector<std::size_t> places;
  std::size_t dim = 0;
  const auto keep = [&] {
    result.sizes.push_back(self.sizes[dim]);
    result.strides.push_back(self.strides[dim++]);
  };
  for (const auto& name : call.arguments.optional_tensors("indices")) {
    require_min_rank(self, dim + 1);
    if (!name) {
      keep();
      continue;
    }
    const TensorType own = call.type_of(*name);
    const bool is_mask = own.dtype == ScalarType::BOOL || own.dtype == ScalarType::BYTE;
    has_mask = has_mask || is_mask;
    require_min_rank(self, dim + (is_mask ? own.sizes.size() : 1));
    if (!is_mask) common = broadcast(common, own.sizes, call.hints);
    for (std::size_t i = 0; i < (is_mask ? own.sizes.size() : 1); ++i) places.push_back(dim++);
  }
  while (dim < self.sizes.size()) keep();
  require(!places.empty(), "expected at least one index");
  const bool is_block = places.back() - places.front() + 1 == places.size();
  const auto at = static_cast<std::ptrdiff_t>(is_block ? places.front() : 0);
  if (has_mask && common.empty()) common = {Size(1)};
  const std::size_t last = static_cast<std::size_t>(at) + common.size() - 1;
  if (has_mask && common.back().is(1)) {
    common.back() = call.size_from_data(last, result.sizes.size() + common.size());
  }
  result.sizes.insert(result.sizes.begin() + at, common.begin(), common.end());
  result.strides.insert(result.strides.begin() + at, common.size(), Size(0));
  return {dense_like(result, self.dtype, call.hints)};
}

Results embedding(const InferredCall&, const TensorType& weight, const TensorType& indices) {
  require_rank(weight, 2);
  return {contiguous_like(weight, concat(indices.sizes, {weight.sizes[1]}))};
}

/// Strides stay unless elements overlap. Source: clone_preserve_strides() in aten/native/TensorShape.cpp.
Results scattered(const InferredCall& call, TensorType self) {
  for (std::size_t i = 0; i < self.sizes.size(); ++i) {
    const bool is_one = self.sizes[i].is(0) || self.sizes[i].is(1);
    if (self.strides[i].is(0) && !is_one) return {dense_like(self, self.dtype, call.hints)};
  }
  return {self};
}

Results one_hot(const InferredCall& call, const TensorType& self) {
  const Size classes = call.size("num_classes");
  Sizes sizes = self.sizes;
  sizes.push_back(classes.is(-1) ? call.size_from_data(sizes.size(), sizes.size() + 1) : classes);
  return {contiguous_like(self, std::move(sizes))};
}

Results repeated(const InferredCall& call, const TensorType& self) {
  Sizes sizes = self.sizes;
  std::size_t dim = 0;
  if (call.has("dim")) {
    require_min_rank(self, 1);
    dim = call.dim("dim", sizes.size());
  } else {
    sizes = {element_count(self.sizes)};
  }
  const Argument& repeats = call.arguments.at("repeats").value();
  const bool from_data = repeats.is<Argument::as_tensor>();
  sizes[dim] = call.has("output_size") ? call.size("output_size")
               : from_data             ? call.size_from_data(dim, sizes.size())
                                       : sizes[dim] * call.size("repeats");
  return {contiguous_like(self, std::move(sizes))};
}

/// By words: the dim, which the tensors get if they lack it.
Results stacked(const InferredCall& call) {
  const std::int64_t dim = call.words[0] - '0';
  const std::size_t least_rank = dim == 0 ? 2 : dim == 1 ? 1 : 3;
  std::vector<TensorType> tensors = tensors_of(call);
  const bool is_row = dim == 1 && tensors.front().sizes.size() < 2;
  for (TensorType& tensor : tensors) tensor = of_rank(std::move(tensor), least_rank);
  return {joined(tensors, is_row ? 0 : dim, call.hints)};
}

/// Vectors are columns.
Results column_stacked(const InferredCall& call) {
  std::vector<TensorType> tensors = tensors_of(call);
  for (TensorType& tensor : tensors) {
    if (tensor.sizes.size() >= 2) continue;
    tensor = of_rank(std::move(tensor), 2);
    swap_dims(tensor, 0, 1);
  }
  return {joined(tensors, 1, call.hints)};
}

/// A column per found element in memory, a row in the result.
Results places(const InferredCall& call, const TensorType& self) {
  const auto rank = static_cast<std::int64_t>(self.sizes.size());
  if (call.declares("size")) return {contiguous_like(self, ScalarType::LONG, {call.size("size"), rank})};
  const Size count = call.size_from_data(0, 2);
  TensorType result = contiguous_like(self, ScalarType::LONG, {count, rank});
  result.strides = {1, count.is(0) ? Size(1) : count};
  return {result};
}

/// The columns of places().
Results places_by_dim(const InferredCall& call, const TensorType& self) {
  const Size count = element_count(self.sizes).is(0) ? Size(0) : call.size_from_data(0, 1);
  std::vector<TensorType> columns(std::max<std::size_t>(self.sizes.size(), 1),
                                  contiguous_like(self, ScalarType::LONG, {count}));
  for (std::size_t i = 0; i < columns.size(); ++i)
    columns[i].offset = Size(static_cast<std::int64_t>(i)) * count;
  return {columns};
}

Results selected(const InferredCall& call, const TensorType& self) {
  return {contiguous_like(self, {call.size_from_data(0, 1)})};
}

/// The values, the places of elements among them, and the counts. What is not asked for is empty. Source:
/// _unique() in torch/_subclasses/fake_impls.py, for which the dim -1 is an insertion.
Results unique(const InferredCall& call, const TensorType& self) {
  const bool has_dim = call.has("dim");
  const auto longs = [&](bool is_given, Sizes sizes) {
    return contiguous_like(self, ScalarType::LONG, is_given ? std::move(sizes) : Sizes{0});
  };
  Sizes sizes = {Size(0)};
  Sizes elements = self.sizes;
  std::size_t dim = 0;
  if (has_dim) {
    require_min_rank(self, 1);
    dim = call.dim("dim", self.sizes.size());
    elements = {self.sizes[dim]};
    sizes = self.sizes;
    if (call.arguments.get_int("dim") == -1) sizes = replaced(sizes, sizes.size() - 1, 0, self.sizes);
  }
  sizes[dim] = call.size_from_data(dim, sizes.size());
  Results results = {contiguous_like(self, sizes), longs(has_dim || call.flag("return_inverse"), elements)};
  if (call.op.returns.size() == 2) return results;
  const Size counted = has_dim && call.arguments.get_int("dim") == -1 ? sizes.back() : sizes[dim];
  results.emplace_back(longs(has_dim || call.flag("return_counts"), {counted}));
  return results;
}

Results bin_counts(const InferredCall& call, const TensorType& self) {
  ScalarType dtype = ScalarType::LONG;
  if (call.has("weights"))
    dtype = call.tensor("weights").dtype == ScalarType::FLOAT ? ScalarType::FLOAT : ScalarType::DOUBLE;
  return {contiguous_like(self, dtype, {call.size_from_data(0, 1)})};
}

Results combinations(const InferredCall& call, const TensorType& self) {
  const std::int64_t r = call.arguments.get_int("r");
  require_at_least("r", r, 0);
  require_rank(self, 1);
  if (r == 0) return {contiguous_like(self, {Size(0)})};
  return {contiguous_like(self, {call.size_from_data(0, 2), r})};
}

Results product_of_sets(const InferredCall& call) {
  const std::vector<TensorType> tensors = tensors_of(call);
  if (tensors.size() == 1) return {tensors.front()};
  Size count = 1;
  for (const TensorType& tensor : tensors) count = count * element_count(tensor.sizes);
  return {contiguous_like(tensors.front(), {count, static_cast<std::int64_t>(tensors.size())})};
}

Results padded_sequences(const InferredCall& call) {
  const std::vector<TensorType> tensors = tensors_of(call, "sequences");
  require_min_rank(tensors.front(), 1);
  Sizes sizes = tensors.front().sizes;
  for (const TensorType& tensor : tensors) {
    require_rank(tensor, sizes.size());
    sizes[0] = larger(sizes[0], tensor.sizes[0]);
  }
  const auto count = static_cast<std::int64_t>(tensors.size());
  return {contiguous_like(tensors.front(), replaced(sizes, call.flag("batch_first") ? 0 : 1, 0, {count}))};
}

/// Tensors are padded and cut into pieces, which come after the dims before `dim`.
Results joined_chunks(const InferredCall& call) {
  const std::vector<TensorType> tensors = tensors_of(call);
  const Sizes& sizes = tensors.front().sizes;
  const std::size_t dim = call.dim("dim", sizes.size());
  const std::int64_t count = call.arguments.get_int("num_chunks");
  require_at_least("num_chunks", count, 1);
  Size length = 0;
  for (const TensorType& tensor : tensors) {
    require_min_rank(tensor, dim + 1);
    Sizes rest = part(tensor.sizes, dim, tensor.sizes.size());
    rest.front() = floor_div(rest.front() + Size(count - 1), count);
    length = length + element_count(rest);
  }
  return {contiguous_like(tensors.front(), concat(part(sizes, 0, dim), {count, length}))};
}

/// The elements at or below a diagonal of a matrix. Source: get_tril_size() in ATen/native/TensorFactories.h.
Size lower_count(std::int64_t rows, std::int64_t columns, std::int64_t offset) {
  const std::int64_t first = std::clamp<std::int64_t>(-offset, 0, rows);  // the rows before it have none
  const std::int64_t full = std::clamp<std::int64_t>(columns - offset, first, rows);  // from here on, all
  const Size partial = Size(full - first) * Size(first + full + 1 + 2 * offset);
  return floor_div(partial, 2) + Size(rows - full) * Size(columns);
}

Results triangle_places(const InferredCall& call) {
  const std::int64_t rows = call.arguments.get_int("row");
  const std::int64_t columns = call.arguments.get_int("col");
  const std::int64_t offset = call.arguments.get_int("offset");
  require_at_least("row", rows, 0);
  require_at_least("col", columns, 0);
  const bool is_lower = call.op.target.find("tril") != std::string::npos;
  const Size count = is_lower ? lower_count(rows, columns, offset)
                              : Size(rows) * Size(columns) - lower_count(rows, columns, offset - 1);
  return {TensorType(call.dtype(ScalarType::LONG), {2, count})};
}

Results segments(const InferredCall& call, const TensorType& data) {
  require_min_rank(data, 1);
  const std::size_t axis = call.dim("axis", data.sizes.size());
  const bool has_lengths = call.has("lengths");
  const TensorType ends = call.tensor(has_lengths ? "lengths" : "offsets");
  require_rank(ends, axis + 1);
  const Size count = ends.sizes[axis] - Size(has_lengths ? 0 : 1);
  return {contiguous_like(data, replaced(data.sizes, axis, 1, {count}))};
}

/// Source: meta_embedding_bag() in torch/_meta_registrations.py.
Results embedding_bags(const InferredCall& call, const TensorType& weight, const TensorType& indices,
                       const TensorType& offsets) {
  require_rank(weight, 2);
  require_min_rank(indices, 1);
  require_rank(offsets, 1);
  const std::int64_t mode = call.arguments.get_int("mode");
  const Size bags = offsets.sizes[0] - Size(call.flag("include_last_offset") ? 1 : 0);
  const bool is_padded = call.has("padding_idx") && call.arguments.get_int("padding_idx") >= 0;
  const bool is_fast =
      (weight.dtype == ScalarType::FLOAT || weight.dtype == ScalarType::HALF) && weight.strides[1].is(1) &&
      !is_padded &&
      (!call.has("per_sample_weights") || call.tensor("per_sample_weights", 1).strides[0].is(1));
  const bool is_max = mode == 2;
  const bool keeps_gradients =
      call.op.target.find("._embedding_bag.") != std::string::npos || weight.requires_grad;
  Sizes largest = {bags};
  if (is_max) largest.push_back(weight.sizes[1]);
  return {contiguous_like(weight, {bags, weight.sizes[1]}),
          contiguous_like(offsets, {mode == 0 && is_fast ? Size(0) : indices.sizes[0]}),
          contiguous_like(offsets, {keeps_gradients ? bags : offsets.sizes[0]}),
          contiguous_like(offsets, largest)};
}

Sizes padded_sizes(const TensorType& self, const Sizes& padding) {
  Sizes sizes = self.sizes;
  if (padding.size() % 2 != 0 || padding.size() / 2 > sizes.size())
    fail_inference("expected 2 padding sizes per dim, got ", padding.size(), " for shape ", sizes);
  for (std::size_t i = 0; i < padding.size() / 2; ++i) {
    Size& size = sizes[sizes.size() - 1 - i];
    size = size + padding[2 * i] + padding[2 * i + 1];
  }
  return sizes;
}

Results padded_images(const InferredCall& call, const TensorType& self) {
  return {images_like(call, self, padded_sizes(self, call.sizes("padding")))};
}

Results searched(const InferredCall& call) {
  const bool is_number = !call.arguments.at("self").value().is<Argument::as_tensor>();
  TensorType self = call.tensor(!is_number                    ? "self"
                                : call.declares("boundaries") ? "boundaries"
                                                              : "sorted_sequence");
  if (is_number) self.sizes.clear();
  return {contiguous_like(self, call.flag("out_int32") ? ScalarType::INT : ScalarType::LONG, self.sizes)};
}

/// Both halves of glu have the strides of the whole tensor.
Results halved(const InferredCall& call) {
  auto [self, dim] = along_dim(call);
  self.sizes[dim] = floor_div(self.sizes[dim], 2);
  return {dense_like(self, self.dtype, call.hints)};
}

Results block_diagonal(const InferredCall& call) {
  Sizes sizes = {0, 0};
  const std::vector<TensorType> tensors = tensors_of(call);
  for (const TensorType& tensor : tensors) {
    const std::size_t rank = tensor.sizes.size();
    sizes[0] = sizes[0] + (rank == 2 ? tensor.sizes[0] : Size(1));
    sizes[1] = sizes[1] + (rank == 0 ? Size(1) : tensor.sizes.back());
  }
  return {contiguous_like(tensors.front(), common_dtype(tensors), std::move(sizes))};
}

/// Source: diff() in ATen/native/ReductionOps.cpp.
Results differences(const InferredCall& call, TensorType self) {
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

Results rotated(const InferredCall& call, const TensorType& self) {
  require_min_rank(self, 2);
  const std::vector<std::int64_t> dims = call.arguments.get_ints("dims");
  if (dims.size() != 2) fail_inference("expected 2 dims, got ", dims.size());
  const bool is_turned = call.arguments.get_int("k") % 2 != 0;
  TensorType turned = self;
  const std::size_t a = InferredCall::dim_of(dims[0], self.sizes.size());
  const std::size_t b = InferredCall::dim_of(dims[1], self.sizes.size());
  if (is_turned) swap_dims(turned, a, b);
  return {dense_like(turned, self.dtype, call.hints)};
}

Results drawn(const InferredCall& call, const TensorType& self) {
  const Sizes rows = but_last(self.sizes, self.sizes.empty() ? 0 : 1);
  return {contiguous_like(self, ScalarType::LONG, concat(rows, {call.size("num_samples")}))};
}

Results tensordot(const InferredCall& call, const TensorType& a, const TensorType& b) {
  const auto kept = [&](const TensorType& tensor, std::string_view name) {
    const std::size_t rank = tensor.sizes.size();
    Sizes sizes;
    for (const std::size_t dim : other_dims(rank, InferredCall::dims_of(call.arguments.get_ints(name), rank)))
      sizes.push_back(tensor.sizes[dim]);
    return sizes;
  };
  const Sizes left = kept(a, "dims_self");
  return {contiguous_like(a, concat(left, kept(b, "dims_other")))};
}

/// Of a vector the matrix with this diagonal, of a matrix the diagonal.
Results diag(const InferredCall& call, const TensorType& self) {
  const std::int64_t offset = call.arguments.get_int(call.declares("offset") ? "offset" : "diagonal");
  if (self.sizes.size() == 2 && call.declares("diagonal")) {
    return {contiguous_like(self, {diagonal_length(self.sizes[0], self.sizes[1], offset)})};
  }
  const Size size = element_count(self.sizes) + Size(std::abs(offset));
  return {contiguous_like(self, {size, size})};
}

Results triangle(const InferredCall&, const TensorType& self) {
  require_min_rank(self, 2);
  return {contiguous_like(self, self.sizes)};
}

Results padded(const InferredCall& call, const TensorType& self) {
  const std::string mode = call.declares("mode") ? call.arguments.get_string("mode") : "constant";
  const Sizes padding = call.sizes("pad");
  const bool is_nothing =
      std::all_of(padding.begin(), padding.end(), [](const Size& size) { return size.is(0); });
  if (mode == "constant" && is_nothing) return {dense_like(self, self.dtype, call.hints)};  // torch clones it
  Sizes sizes = padded_sizes(self, padding);
  return {mode == "circular" ? contiguous_like(self, std::move(sizes))
                             : images_like(call, self, std::move(sizes))};
}

}  // namespace

NamedRules indexing_rules() {
  return {
      {cat, "cat concat concatenate"},
      {stack, "stack _stack"},
      {gather, "gather"},
      {index_select, "index_select"},
      {index, "index _unsafe_index _unsafe_masked_index"},
      {embedding, "embedding"},
      {described, "dense _",
       "scatter scatter_add index_put _index_put_impl _unsafe_index_put _unsafe_masked_index_put_accumulate "
       "index_add index_copy flip scatter_reduce index_reduce index_fill put fliplr flipud"},
      {described, "contiguous _", "roll channel_shuffle native_channel_shuffle fft_fftshift fft_ifftshift"},
      {triangle, "tril triu"},
      {padded, "pad constant_pad_nd"},
      {scattered, "slice_scatter copy select_scatter diagonal_scatter as_strided_scatter"},
      {halved, "glu"},
      {stacked, "0", "vstack row_stack"},
      {stacked, "1", "hstack"},
      {stacked, "2", "dstack"},
      {column_stacked, "column_stack"},
      {described, "contiguous elements bool", "isin.Tensor_Tensor isin.Tensor_Scalar"},
      {described, "scalar test_elements bool", "isin.Scalar_Tensor"},
      {block_diagonal, "block_diag"},
      {differences, "diff"},
      {rotated, "rot90"},
      {drawn, "multinomial"},
      {tensordot, "tensordot"},
      {diag, "diag diagflat"},
      {described, "contiguous bins", "histc"},
      {one_hot, "one_hot"},
      {repeated, "repeat_interleave"},
      {taken, "take_along_dim take"},
      {embedding_bags, "embedding_bag _embedding_bag _embedding_bag_forward_only"},
      {places, "nonzero argwhere nonzero_static"},
      {places_by_dim, "nonzero_numpy where.default"},
      {selected, "masked_select"},
      {unique, "_unique _unique2 unique_dim unique_consecutive unique_dim_consecutive"},
      {bin_counts, "bincount"},
      {combinations, "combinations"},
      {product_of_sets, "cartesian_prod"},
      {joined_chunks, "_chunk_cat"},
      {padded_sequences, "pad_sequence"},
      {triangle_places, "tril_indices triu_indices"},
      {segments, "segment_reduce"},
      {searched, "bucketize searchsorted"},
      {padded_images,
       "reflection_pad1d reflection_pad2d reflection_pad3d replication_pad1d replication_pad2d "
       "replication_pad3d"},
  };
}

}  // namespace pt2
