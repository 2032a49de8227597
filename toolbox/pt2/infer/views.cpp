#include "pt2/infer/rules.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "pt2/graph/walk.h"
#include "pt2/text/affix.h"
#include "schemagen/base/counted.h"

namespace pt2 {
namespace {

constexpr std::int64_t kLargest = 9223372036854775807;

void erase_dim(TensorType& tensor, std::size_t dim) {
  tensor.sizes = replaced(tensor.sizes, dim, 1, {});
  tensor.strides = replaced(tensor.strides, dim, 1, {});
}

void insert_dim(TensorType& tensor, std::size_t dim, const Size& size, const Size& stride) {
  tensor.sizes = replaced(tensor.sizes, dim, 0, {size});
  tensor.strides = replaced(tensor.strides, dim, 0, {stride});
}

Sizes resolved_sizes(const Sizes& known, Sizes asked, const Bindings& hints) {
  const Size count = element_count(known);
  Size rest = 1;
  Size* unknown = nullptr;
  for (Size& size : asked) {
    if (!size.is(-1)) {
      rest = rest * size;
    } else {
      require(unknown == nullptr, "expected at most one -1 in a shape, got two");
      unknown = &size;
    }
  }
  if (unknown == nullptr) {
    if (may_equal(count, rest, hints)) return asked;
  } else if (const auto size = quotient(count, rest)) {
    *unknown = *size;
    return asked;
  } else if (!count.number() || !rest.number()) {
    *unknown = floor_div(count, rest);
    return asked;
  }
  fail_shapes("cannot view shape ", known, " as shape ", asked);
}

/// nullopt if a copy is needed. Source: computeStride in aten/src/ATen/TensorUtils.cpp.
std::optional<Sizes> view_strides(const TensorType& self, const Sizes& sizes,
                                  const Bindings* hints = nullptr) {
  const auto is_same = [&](const Size& a, const Size& b) {
    return hints == nullptr ? a == b : may_equal(a, b, *hints);
  };
  if (element_count(self.sizes).is(0)) return row_major_strides(sizes);
  Sizes strides(sizes.size());
  std::size_t next = sizes.size();
  Size base = self.strides.empty() ? Size(1) : self.strides.back();
  Size elements = 1;
  Size placed = 1;
  for (std::size_t dim = self.sizes.size(); dim-- > 0;) {
    elements = elements * self.sizes[dim];
    const bool continues =
        dim > 0 && (self.sizes[dim - 1].is(1) || is_same(self.strides[dim - 1], elements * base));
    if (continues) continue;
    while (next > 0 && (!is_same(placed, elements) || sizes[next - 1].is(1))) {
      --next;
      strides[next] = placed * base;
      placed = placed * sizes[next];
    }
    if (!is_same(placed, elements)) return std::nullopt;
    if (dim > 0) {
      base = self.strides[dim - 1];
      elements = 1;
      placed = 1;
    }
  }
  while (next > 0) strides[--next] = base;  // a scalar: sizes are 1
  return strides;
}

/// Throws DataError if a copy is needed but not allowed.
Results reshaped(const InferredCall& call, TensorType self, Sizes asked, bool may_copy) {
  Sizes sizes = resolved_sizes(self.sizes, std::move(asked), call.hints);
  auto strides = view_strides(self, sizes);
  if (!strides) strides = view_strides(self, sizes, &call.hints);
  if (!strides && may_copy) return {contiguous_like(self, std::move(sizes))};
  if (!strides) {
    fail_inference("cannot view shape ", self.sizes, " with strides ", self.strides, " as shape ", sizes,
                   "; use 'reshape' to copy it");
  }
  self.sizes = std::move(sizes);
  self.strides = std::move(*strides);
  return {self};
}

/// By words: the argument that gives the shape, and whether a copy is allowed.
Results reshape(const InferredCall& call, const TensorType& self) {
  const bool may_copy = ends_with(call.words, " copy") || call.op.target.find("_copy.") != std::string::npos;
  const std::string_view shape = call.words.substr(0, call.words.find(' '));
  if (call.declares("dtype")) fail_inference("views with another dtype are not supported");
  return reshaped(call, self, shape == "other" ? call.tensor("other").sizes : call.sizes(shape), may_copy);
}

Results ravel(const InferredCall& call, TensorType self) {
  if (self.strides != row_major_strides(self.sizes)) self = contiguous_like(self, self.sizes);
  return reshaped(call, self, {element_count(self.sizes)}, true);
}

Results flatten(const InferredCall& call, const TensorType& self) {
  if (self.sizes.empty()) return reshaped(call, self, {Size(1)}, true);
  const std::size_t first = call.dim("start_dim", self.sizes.size());
  const std::size_t last = call.dim("end_dim", self.sizes.size());
  if (first > last) fail_inference("start_dim ", first, " comes after end_dim ", last);
  const Size joined = element_count(part(self.sizes, first, last + 1));
  return reshaped(call, self, replaced(self.sizes, first, last - first + 1, {joined}), true);
}

Results unflatten(const InferredCall& call) {
  const auto [self, dim] = along_dim(call);
  const Sizes made = resolved_sizes({self.sizes[dim]}, call.sizes("sizes"), call.hints);
  return reshaped(call, self, replaced(self.sizes, dim, 1, made), false);
}

void require_no_fewer_sizes(const Sizes& sizes, const TensorType& tensor) {
  if (sizes.size() >= tensor.sizes.size()) return;
  fail_inference("expected ", tensor.sizes.size(), " or more sizes, got ", sizes.size());
}

TensorType expanded(TensorType self, Sizes sizes) {
  require_no_fewer_sizes(sizes, self);
  const std::size_t added = sizes.size() - self.sizes.size();
  Size outer = 1;
  if (!self.sizes.empty()) outer = self.sizes[0] * self.strides[0];
  Sizes strides(added);
  for (std::size_t i = 0; i < added; ++i) strides[i] = sizes[i].is(1) ? outer : Size(0);
  for (std::size_t i = added; i < sizes.size(); ++i) {
    const Size& own = self.sizes[i - added];
    if (sizes[i].is(-1)) sizes[i] = own;
    if (own != sizes[i] && !own.is(1)) fail_shapes("cannot expand shape ", self.sizes, " to ", sizes);
    strides.push_back(own == sizes[i] ? self.strides[i - added] : Size(0));
  }
  self.sizes = std::move(sizes);
  self.strides = std::move(strides);
  return self;
}

Results expand(const InferredCall& call, const TensorType& self) {
  return {expanded(self, call.declares("other") ? call.tensor("other").sizes : call.sizes("size"))};
}

Results meshgrid(const InferredCall& call) {
  const std::vector<TensorType> tensors = call.tensors("tensors");
  require_few(tensors.size(), kMostDims, " dims");
  Sizes shape;
  for (const TensorType& tensor : tensors) {
    if (!tensor.sizes.empty()) require_rank(tensor, 1);
    shape.push_back(tensor.sizes.empty() ? Size(1) : tensor.sizes[0]);
  }
  const bool is_swapped = call.declares("indexing") && call.arguments.get_string("indexing") == "xy";
  std::vector<TensorType> results;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    TensorType grid = tensors[i];
    grid.sizes = shape;
    grid.strides.assign(shape.size(), Size(0));
    if (!tensors[i].sizes.empty()) grid.strides[i] = tensors[i].strides[0];
    if (is_swapped && shape.size() >= 2) swap_dims(grid, 0, 1);
    results.push_back(std::move(grid));
  }
  return {results};
}

Results broadcast_tensors(const InferredCall& call) {
  std::vector<TensorType> tensors = call.tensors("tensors");
  Sizes sizes;
  for (const TensorType& tensor : tensors) sizes = broadcast(sizes, tensor.sizes, call.hints);
  for (TensorType& tensor : tensors) tensor = expanded(std::move(tensor), sizes);
  return {tensors};
}

Results repeat(const InferredCall& call, const TensorType& self) {
  const bool is_tile = call.declares("dims");
  const Sizes repeats = call.sizes(is_tile ? "dims" : "repeats");
  if (!is_tile) require_no_fewer_sizes(repeats, self);
  return {contiguous_like(self, multiplied_sizes(repeats, self.sizes))};
}

Results permute(const InferredCall& call, const TensorType& self) {
  return {permuted(self, InferredCall::dims_of(call.arguments.get_ints("dims"), self.sizes.size()))};
}

/// Without dims, the last two, if there are as many.
Results transpose(const InferredCall& call, TensorType self) {
  const std::size_t rank = self.sizes.size();
  const std::vector<OperatorArgument>& arguments = call.op.arguments;
  if (arguments.size() < 3) {
    if (rank >= 2) swap_dims(self, rank - 2, rank - 1);
  } else {
    const std::size_t a = call.dim(arguments[1].name, rank);
    const std::size_t b = call.dim(arguments[2].name, rank);
    if (rank > 0) swap_dims(self, a, b);
  }
  return {self};
}

Results movedim(const InferredCall& call, const TensorType& self) {
  const std::size_t rank = self.sizes.size();
  const std::vector<std::int64_t> sources = call.arguments.get_ints("source");
  const std::vector<std::int64_t> destinations = call.arguments.get_ints("destination");
  require_same_count(sources.size(), "source dim", destinations.size(), "destination");
  std::vector<std::size_t> order(rank, rank);
  std::vector<bool> is_moved(rank);
  for (std::size_t i = 0; i < sources.size() && rank > 0; ++i) {
    std::size_t& place = order[InferredCall::dim_of(destinations[i], rank)];
    if (place != rank) fail_inference("dim ", destinations[i], " is given twice");
    place = InferredCall::dim_of(sources[i], rank);
    is_moved[place] = true;
  }
  std::size_t next = 0;
  for (std::size_t& place : order) {
    if (place != rank) continue;
    while (is_moved[next]) ++next;
    place = next++;
  }
  return {permuted(self, order)};
}

Results reversed_dims(const InferredCall&, const TensorType& self) {
  std::vector<std::size_t> order(self.sizes.size());
  std::iota(order.rbegin(), order.rend(), std::size_t{0});
  return {permuted(self, order)};
}

void require_different(std::size_t a, std::size_t b) {
  if (a == b) fail_inference("expected two different dims, got ", a, " twice");
}

Results diagonal(const InferredCall& call, TensorType self) {
  const std::size_t a = call.dim("dim1", self.sizes.size());
  const std::size_t b = call.dim("dim2", self.sizes.size());
  require_min_rank(self, 2);
  require_different(a, b);
  const std::int64_t offset = call.arguments.get_int("offset");
  const Size length = diagonal_length(self.sizes[a], self.sizes[b], offset);
  const Size stride = self.strides[a] + self.strides[b];
  if (!length.is(0)) {
    self.offset =
        self.offset + (offset >= 0 ? Size(offset) * self.strides[b] : Size(-offset) * self.strides[a]);
  }
  erase_dim(self, std::max(a, b));
  erase_dim(self, std::min(a, b));
  insert_dim(self, self.sizes.size(), length, stride);
  return {self};
}

Results diagonal_matrix(const InferredCall& call, const TensorType& self) {
  if (self.sizes.empty()) return {};
  const std::size_t rank = self.sizes.size() + 1;
  const std::size_t a = call.dim("dim1", rank);
  const std::size_t b = call.dim("dim2", rank);
  require_different(a, b);
  const Size size = self.sizes.back() + Size(std::abs(call.arguments.get_int("offset")));
  const Sizes first = replaced(but_last(self.sizes, 1), std::min(a, b), 0, {size});
  return {contiguous_like(self, replaced(first, std::max(a, b), 0, {size}))};
}

/// By words: the rank.
Results at_least(const InferredCall& call) {
  const auto rank = static_cast<std::size_t>(call.words[0] - '0');
  if (call.declares("self")) return {of_rank(call.tensor("self"), rank)};
  std::vector<TensorType> tensors = call.tensors("tensors");
  for (TensorType& tensor : tensors) tensor = of_rank(std::move(tensor), rank);
  return {tensors};
}

Results unfold(const InferredCall& call, TensorType self) {
  const std::size_t dim = call.dim("dimension", self.sizes.size());
  const Size size = call.size("size");
  const Size step = call.size("step");
  require_at_most("size", size, self.sizes.empty() ? Size(1) : self.sizes[dim]);
  if (self.sizes.empty()) {
    insert_dim(self, 0, size, 1);
    return {self};
  }
  const Size stride = self.strides[dim];
  self.sizes[dim] = floor_div(self.sizes[dim] - size, step) + Size(1);
  self.strides[dim] = stride * step;
  insert_dim(self, self.sizes.size(), size, stride);
  return {self};
}

Results as_strided(const InferredCall& call, TensorType self) {
  self.sizes = call.sizes("size");
  self.strides = call.sizes("stride");
  require_same_count(self.strides.size(), "stride", self.sizes.size(), "size");
  if (call.has("storage_offset")) self.offset = call.size("storage_offset");
  return {self};
}

/// Complex numbers are pairs of real numbers.
void as_real_parts(TensorType& tensor) {
  tensor.dtype = real(tensor.dtype);
  for (Size& stride : tensor.strides) stride = stride * Size(2);
  tensor.offset = tensor.offset * Size(2);
}

Results as_pairs(const InferredCall&, TensorType self) {
  if (!is_complex(self.dtype)) fail_inference("expected a complex dtype, got ", self.dtype);
  as_real_parts(self);
  insert_dim(self, self.sizes.size(), 2, 1);
  return {self};
}

Results from_pairs(const InferredCall&, TensorType self) {
  if (!is_float(self.dtype) || self.sizes.empty() || !self.sizes.back().is(2))
    fail_inference("expected floats and a last dim of size 2, got ", self.dtype, " and shape ", self.sizes);
  self.dtype = as_complex(self.dtype);
  erase_dim(self, self.sizes.size() - 1);
  for (Size& stride : self.strides) stride = floor_div(stride, 2);
  self.offset = floor_div(self.offset, 2);
  return {self};
}

Results part_of_pair(const InferredCall& call, TensorType self) {
  if (!is_complex(self.dtype)) return {self};
  as_real_parts(self);
  if (call.words == "imaginary") self.offset = self.offset + Size(1);
  return {self};
}

Results unsqueeze(const InferredCall& call, TensorType self) {
  const std::size_t dim = call.dim("dim", self.sizes.size() + 1);
  const bool is_last = dim >= self.sizes.size();
  const Size stride = is_last ? Size(1) : self.sizes[dim] * self.strides[dim];
  insert_dim(self, dim, 1, stride);
  return {self};
}

Results squeeze(const InferredCall& call, TensorType self) {
  const bool is_nothing = call.has("dim") && call.arguments.get_ints("dim").empty();
  const std::vector<bool> chosen = call.dims("dim", self.sizes.size());
  for (std::size_t i = chosen.size(); i-- > 0;) {
    if (!is_nothing && chosen[i] && self.sizes[i].is(1)) erase_dim(self, i);
  }
  return {self};
}

/// As in torch, hints decide about symbolic sizes.
Size bound(const InferredCall& call, const Size& given, const Size& size) {
  if (given.is(kLargest)) return size;
  const auto number = given.hint(call.hints);
  const auto limit = size.hint(call.hints);
  if (given == size || given.is(0)) return given;
  if (number && *number > 0 && !limit) return smaller(given, size);
  if (limit && !number) return smaller(size, given);
  require(number && limit, "cannot tell without size hints whether the slice ends within a symbolic size");
  if (*number >= *limit) return size;
  if (*number >= 0) return given;
  return *number + *limit < 0 ? Size(0) : given + size;
}

TensorType sliced(TensorType self, std::size_t dim, const Size& start, const Size& length,
                  const Size& step = 1) {
  self.offset = self.offset + start * self.strides[dim];
  self.sizes[dim] = length;
  self.strides[dim] = self.strides[dim] * step;
  return self;
}

Results slice(const InferredCall& call) {
  const auto [self, dim] = along_dim(call);
  const Size& size = self.sizes[dim];
  const Size step = call.size("step");
  require_at_least("step", step.number().value_or(1), 1);
  const Size start = bound(call, call.has("start") ? call.size("start") : Size(0), size);
  Size end = bound(call, call.has("end") ? call.size("end") : Size(kLargest), size);
  const auto first = start.number();
  const auto last = end.number();
  if (first && last && *last < *first) end = start;
  const Size length = floor_div(end - start + step - Size(1), step);
  return {sliced(self, dim, start, length, step)};
}

Results select(const InferredCall& call) {
  auto [self, dim] = along_dim(call);
  Size index = call.size("index");
  const auto number = index.number();
  const auto limit = self.sizes[dim].number();
  if (number && limit && (*number < -*limit || *number >= *limit))
    fail_inference("index ", *number, " is out of range for size ", *limit);
  if (number && *number < 0) index = index + self.sizes[dim];
  self.offset = self.offset + index * self.strides[dim];
  erase_dim(self, dim);
  return {self};
}

Results narrow(const InferredCall& call) {
  const auto [self, dim] = along_dim(call);
  const Size start = bound(call, call.size("start"), self.sizes[dim]);
  const Size length = call.size("length");
  require_at_most("start + length", start + length, self.sizes[dim]);
  return {sliced(self, dim, start, length)};
}

Results parts(const InferredCall& call, const TensorType& self, std::size_t dim, const Sizes& lengths) {
  call.require_results(static_cast<std::int64_t>(lengths.size()));
  std::vector<TensorType> results;
  Size start = 0;
  for (const Size& length : lengths) {
    results.push_back(sliced(self, dim, start, length));
    start = start + length;
  }
  return {results};
}

/// As in torch, hints decide about the number of parts.
std::int64_t known_size(const InferredCall& call, const Size& size) {
  const auto number = size.hint(call.hints);
  require(number.has_value(), "cannot tell without size hints into how many parts a symbolic size is split");
  require_at_least("size", *number, 0);
  return *number;
}

Results parts_from_data(const InferredCall& call, const TensorType& self, std::size_t dim) {
  std::vector<TensorType> results;
  const std::size_t count = names_in(call.node.outputs).size();
  for (std::size_t i = 0; i < count; ++i) {
    TensorType part = self;
    part.sizes[dim] = call.size_from_data(dim, self.sizes.size(), i);
    const auto recorded = call.recorded(self.sizes.size(), i);
    if (i > 0) part.offset = recorded ? recorded->offset : call.new_size();
    results.push_back(std::move(part));
  }
  return {results};
}

Results tensor_split_along(const InferredCall& call, const TensorType& self, std::size_t dim) {
  require_min_rank(self, dim + 1);
  const Size& total = self.sizes[dim];
  if (call.declares("tensor_indices_or_sections")) return parts_from_data(call, self, dim);
  if (!call.declares("sections")) {
    std::vector<TensorType> results;
    Sizes ends = call.sizes("indices");
    call.require_results(static_cast<std::int64_t>(ends.size()) + 1);
    ends.push_back(total);
    Size start = 0;
    for (const Size& given : ends) {
      const Size end = bound(call, given, total);
      const bool is_reversed = start.hint(call.hints) > end.hint(call.hints);
      results.push_back(sliced(self, dim, start, is_reversed ? Size(0) : end - start));
      start = end;
    }
    return {results};
  }
  const std::int64_t count = call.arguments.get_int("sections");
  require_at_least("sections", count, 1);
  call.require_results(count);
  const std::int64_t longer = known_size(call, total) % count;
  Sizes lengths;
  for (std::int64_t i = 0; i < count; ++i)
    lengths.push_back(floor_div(total, count) + Size(i < longer ? 1 : 0));
  return parts(call, self, dim, lengths);
}

/// By words: the dim, `hsplit` of a vector excepted.
Results tensor_split(const InferredCall& call, const TensorType& self) {
  const std::size_t rank = self.sizes.size();
  if (call.words.empty()) return tensor_split_along(call, self, call.dim("dim", rank));
  const auto dim = static_cast<std::size_t>(call.words[0] - '0');
  return tensor_split_along(call, self, dim == 1 && rank == 1 ? 0 : dim);
}

Results equal_parts(const InferredCall& call, const TensorType& self, std::size_t dim, const Size& size) {
  const Size& total = self.sizes[dim];
  if (size == total) return parts(call, self, dim, {size});
  const std::int64_t each = known_size(call, size);
  const std::int64_t all = known_size(call, total);
  require_at_least("split_size", each, 1);
  const std::int64_t count = std::max<std::int64_t>(1, all / each + (all % each == 0 ? 0 : 1));
  call.require_results(count);
  Sizes lengths(static_cast<std::size_t>(count), size);
  lengths.back() = total - size * Size(count - 1);
  return parts(call, self, dim, lengths);
}

Results split(const InferredCall& call) {
  const auto [self, dim] = along_dim(call);
  if (call.declares("split_sizes") ||
      !call.op.arguments[1].type.items.value_or(std::vector<OperatorType>()).empty()) {
    const Sizes lengths = call.sizes(call.declares("split_sizes") ? "split_sizes" : "split_size");
    Size sum = 0;
    for (const Size& length : lengths) sum = sum + length;
    if (!may_equal(sum, self.sizes[dim], call.hints))
      fail_shapes("expected split sizes that sum to ", sizes_text({self.sizes[dim]}), ", got ", lengths);
    return parts(call, self, dim, lengths);
  }
  return equal_parts(call, self, dim, call.size("split_size"));
}

Results chunk(const InferredCall& call) {
  const auto [self, dim] = along_dim(call);
  const std::int64_t chunks = call.arguments.get_int("chunks");
  require_at_least("chunks", chunks, 1);
  const Size& total = self.sizes[dim];
  if (!total.is(0)) return equal_parts(call, self, dim, floor_div(total + Size(chunks - 1), chunks));
  call.require_results(chunks);
  return parts(call, self, dim, Sizes(static_cast<std::size_t>(chunks)));
}

Results unbind(const InferredCall& call) {
  const auto [self, dim] = along_dim(call);
  const std::int64_t count = known_size(call, self.sizes[dim]);
  call.require_results(count);
  Results results = parts(call, self, dim, Sizes(static_cast<std::size_t>(count), 1));
  for (TensorType& part : std::get<std::vector<TensorType>>(results.front())) erase_dim(part, dim);
  return results;
}

/// Inside vmap, a batch looks like one item.
Results item_of_batch(const InferredCall& call, TensorType self) {
  require_min_rank(self, 1);
  erase_dim(self, call.dim("batch_dim", self.sizes.size()));
  return {self};
}

/// Items are consecutive in memory.
Results batch_of_items(const InferredCall& call, TensorType self) {
  const Size stride = element_count(self.sizes);
  insert_dim(self, call.dim("out_dim", self.sizes.size() + 1), call.size("batch_size"), stride);
  return {self};
}

/// Strides stay if the sizes do.
Results resized(const InferredCall& call, const TensorType& self) {
  const Sizes sizes = call.has("size") ? call.sizes("size") : call.tensor("the_template").sizes;
  if (sizes == self.sizes) return {self};
  TensorType result = contiguous_like(self, sizes);
  result.offset = self.offset;
  return {result};
}

Results nothing(const InferredCall&) {
  return {std::monostate()};
}

Results contiguous(const InferredCall& call, const TensorType& self) {
  const TensorType copy = in_format(call, self, self.dtype);
  for (std::size_t i = 0; i < self.sizes.size(); ++i) {
    if (!self.sizes[i].is(1) && self.strides[i] != copy.strides[i]) return {copy};
  }
  return {self};
}

}  // namespace

TensorType permuted(TensorType self, const std::vector<std::size_t>& order) {
  const TensorType old = self;
  std::vector<bool> is_used(order.size());
  if (order.size() != old.sizes.size())
    fail_inference("expected ", schemagen::counted(old.sizes.size(), "dim"), ", got ", order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (is_used[order[i]]) fail_inference("dim ", order[i], " is given twice");
    is_used[order[i]] = true;
    self.sizes[i] = old.sizes[order[i]];
    self.strides[i] = old.strides[order[i]];
  }
  return self;
}

Size diagonal_length(const Size& rows, const Size& columns, std::int64_t offset) {
  return larger(smaller(rows + Size(std::min<std::int64_t>(offset, 0)),
                        columns - Size(std::max<std::int64_t>(offset, 0))),
                0);
}

TensorType of_rank(TensorType tensor, std::size_t least) {
  while (tensor.sizes.size() < least) {
    if (tensor.sizes.size() == 2) {
      insert_dim(tensor, 2, 1, 1);
    } else {
      insert_dim(tensor, 0, 1, tensor.sizes.empty() ? Size(1) : tensor.sizes[0] * tensor.strides[0]);
    }
  }
  return tensor;
}

NamedRules view_rules() {
  return {
      {contiguous, "contiguous"},
      {described, "format self", "clone lift_fresh_copy"},
      {reshape, "shape copy", "reshape"},
      {flatten, "flatten"},
      {unflatten, "unflatten"},
      {reshape, "size", "_unsafe_view view"},
      {expand, "expand_as broadcast_to expand"},
      {repeat, "repeat tile"},
      {chunk, "chunk unsafe_chunk"},
      {narrow, "narrow"},
      {reshape, "other copy", "reshape_as"},
      {reshape, "other", "view_as"},
      {ravel, "ravel"},
      {meshgrid, "meshgrid"},
      {movedim, "movedim moveaxis"},
      {broadcast_tensors, "broadcast_tensors"},
      {reversed_dims, "numpy_T"},
      {diagonal, "diagonal linalg_diagonal"},
      {unfold, "unfold"},
      {as_strided, "as_strided _reshape_alias"},
      {as_pairs, "view_as_real"},
      {from_pairs, "view_as_complex"},
      {part_of_pair, "real"},
      {part_of_pair, "imaginary", "imag"},
      {tensor_split, "tensor_split"},
      {split, "unsafe_split unsafe_split_with_sizes split split_with_sizes"},
      {transpose, "swapaxes swapdims transpose adjoint mH matrix_H t mT"},
      {described, "same self",
       "conj _conj resolve_conj resolve_neg _neg_view alias detach data lift lift_fresh"},
      {described, "same a", "prims.view_of"},
      {item_of_batch, "torch._functorch.predispatch._add_batch_dim"},
      {batch_of_items, "torch._functorch.predispatch._remove_batch_dim"},
      {nothing,
       "torch._functorch.predispatch._vmap_increment_nesting "
       "torch._functorch.predispatch._vmap_decrement_nesting"},
      {squeeze, "squeeze"},
      {diagonal_matrix, "diag_embed"},
      {at_least, "1", "atleast_1d"},
      {at_least, "2", "atleast_2d"},
      {at_least, "3", "atleast_3d"},
      {resized, "resize resize_as _resize_output"},
      {tensor_split, "0", "vsplit"},
      {tensor_split, "1", "hsplit"},
      {tensor_split, "2", "dsplit"},
      {permute, "permute"},
      {unsqueeze, "unsqueeze"},
      {slice, "slice"},
      {select, "select"},
      {unbind, "unbind"},
  };
}

}  // namespace pt2
