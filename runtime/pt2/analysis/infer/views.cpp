// Results that are other views of a tensor, and those that would be if they were not copies.
#include "pt2/analysis/infer/rules.h"

#include <algorithm>
#include <utility>

#include "schemagen/value/error.h"

namespace pt2 {
namespace {

constexpr std::int64_t kLargest = 9223372036854775807;

std::ptrdiff_t offset_of(std::size_t at) {
  return static_cast<std::ptrdiff_t>(at);
}

void erase_dim(TensorType& tensor, std::size_t dim) {
  tensor.sizes.erase(tensor.sizes.begin() + offset_of(dim));
  tensor.strides.erase(tensor.strides.begin() + offset_of(dim));
}

void insert_dim(TensorType& tensor, std::size_t dim, const Size& size, const Size& stride) {
  tensor.sizes.insert(tensor.sizes.begin() + offset_of(dim), size);
  tensor.strides.insert(tensor.strides.begin() + offset_of(dim), stride);
}

/// An operator of this name whose result is a tensor of its own.
bool is_copy(const InferredCall& call) {
  return call.op.target.find("_copy.") != std::string::npos;
}

/// `view`, or what a copy of it is.
std::vector<ValueType> viewed(const InferredCall& call, TensorType view) {
  if (is_copy(call)) return {contiguous_like(view, std::move(view.sizes))};
  return {view};
}

std::vector<ValueType> same(const InferredCall& call) {
  return viewed(call, call.tensor("self"));
}

// ---- Shapes ----

/// `asked`, with the size that stands for -1.
std::vector<Size> resolved_sizes(const TensorType& self, std::vector<Size> asked) {
  const Size count = element_count(self.sizes);
  Size rest = 1;
  Size* unknown = nullptr;
  for (Size& size : asked) {
    if (!size.is(-1)) {
      rest = rest * size;
    } else {
      require(unknown == nullptr, "a shape has -1 twice");
      unknown = &size;
    }
  }
  const auto size = quotient(count, rest);
  if (unknown == nullptr ? count == rest : size.has_value()) {
    if (unknown != nullptr) *unknown = *size;
    return asked;
  }
  const bool is_known = count.number() && rest.number();
  if (unknown != nullptr && !is_known) {
    *unknown = floor_div(count, rest);
    return asked;
  }
  throw schemagen::DataError("a tensor of shape " + sizes_text(self.sizes) + " is no view of shape " +
                             sizes_text(asked));
}

/// The strides of a view of this shape; nullopt if the elements do not lie so. Source: computeStride of
/// aten/src/ATen/TensorUtils.cpp.
std::optional<std::vector<Size>> view_strides(const TensorType& self, const std::vector<Size>& sizes) {
  if (element_count(self.sizes).is(0)) return row_major_strides(sizes);
  std::vector<Size> strides(sizes.size());
  std::size_t next = sizes.size();
  Size base = self.strides.empty() ? Size(1) : self.strides.back();
  Size elements = 1;
  Size placed = 1;
  for (std::size_t dim = self.sizes.size(); dim-- > 0;) {
    elements = elements * self.sizes[dim];
    const bool goes_on = dim > 0 && (self.sizes[dim - 1].is(1) || self.strides[dim - 1] == elements * base);
    if (goes_on) continue;
    while (next > 0 && (placed != elements || sizes[next - 1].is(1))) {
      --next;
      strides[next] = placed * base;
      placed = placed * sizes[next];
    }
    if (placed != elements) return std::nullopt;
    if (dim > 0) {
      base = self.strides[dim - 1];
      elements = 1;
      placed = 1;
    }
  }
  while (next > 0) strides[--next] = base;  // of a scalar: sizes of 1
  return strides;
}

/// Errors: DataError if the elements do not lie so.
std::vector<ValueType> reshaped(const InferredCall& call, TensorType self, std::vector<Size> asked,
                                bool may_copy) {
  std::vector<Size> sizes = resolved_sizes(self, std::move(asked));
  auto strides = view_strides(self, sizes);
  if (is_copy(call) || (!strides && may_copy)) return {contiguous_like(self, std::move(sizes))};
  if (!strides) {
    throw schemagen::DataError("the elements of " + sizes_text(self.sizes) +
                               " do not lie as those of a view " + sizes_text(sizes) +
                               " do; 'reshape' copies them");
  }
  self.sizes = std::move(sizes);
  self.strides = std::move(*strides);
  return {self};
}

std::vector<ValueType> view(const InferredCall& call) {
  if (call.declares("dtype")) throw schemagen::DataError("a view of another dtype is not inferred");
  return reshaped(call, call.tensor("self"), call.sizes("size"), false);
}

std::vector<ValueType> reshape(const InferredCall& call) {
  return reshaped(call, call.tensor("self"), call.sizes("shape"), true);
}

std::vector<ValueType> flatten(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  if (self.sizes.empty()) return reshaped(call, self, {Size(1)}, true);
  const std::size_t first = call.dim("start_dim", self.sizes.size());
  const std::size_t last = call.dim("end_dim", self.sizes.size());
  require(first <= last, "the first dim comes after the last");
  std::vector<Size> sizes(self.sizes.begin(), self.sizes.begin() + offset_of(first));
  sizes.push_back(
      element_count({self.sizes.begin() + offset_of(first), self.sizes.begin() + offset_of(last) + 1}));
  sizes.insert(sizes.end(), self.sizes.begin() + offset_of(last) + 1, self.sizes.end());
  return reshaped(call, self, std::move(sizes), true);
}

std::vector<ValueType> unflatten(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  const std::size_t dim = call.dim("dim", self.sizes.size());
  TensorType part = self;
  part.sizes = {self.sizes[dim]};
  const std::vector<Size> made = resolved_sizes(part, call.sizes("sizes"));
  std::vector<Size> sizes = self.sizes;
  sizes.erase(sizes.begin() + offset_of(dim));
  sizes.insert(sizes.begin() + offset_of(dim), made.begin(), made.end());
  return reshaped(call, self, std::move(sizes), false);
}

std::vector<ValueType> expand(const InferredCall& call) {
  TensorType self = call.tensor("self");
  std::vector<Size> sizes = call.declares("other") ? call.tensor("other").sizes : call.sizes("size");
  require(sizes.size() >= self.sizes.size(), "a tensor is expanded to fewer dims than it has");
  const std::size_t added = sizes.size() - self.sizes.size();
  std::vector<Size> strides(sizes.size(), Size(0));
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (i < added) continue;
    const Size& own = self.sizes[i - added];
    if (sizes[i].is(-1)) sizes[i] = own;
    if (own == sizes[i]) {
      strides[i] = self.strides[i - added];
    } else if (!own.is(1)) {
      throw schemagen::DataError("a tensor of shape " + sizes_text(self.sizes) + " cannot be expanded to " +
                                 sizes_text(sizes));
    }
  }
  Size stride = 1;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    if (i < added) strides[i] = sizes[i].is(1) ? stride : Size(0);
    stride = i < added ? stride : self.sizes[i - added] * self.strides[i - added];
  }
  self.sizes = std::move(sizes);
  self.strides = std::move(strides);
  return viewed(call, std::move(self));
}

std::vector<ValueType> repeat(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  std::vector<Size> sizes = call.sizes("repeats");
  require(sizes.size() >= self.sizes.size(), "a tensor is repeated along fewer dims than it has");
  const std::size_t added = sizes.size() - self.sizes.size();
  for (std::size_t i = 0; i < self.sizes.size(); ++i) sizes[added + i] = sizes[added + i] * self.sizes[i];
  return {contiguous_like(self, std::move(sizes))};
}

// ---- Dims ----

std::vector<ValueType> permuted(const InferredCall& call, TensorType self,
                                const std::vector<std::size_t>& order) {
  const TensorType old = self;
  std::vector<bool> is_used(order.size());
  require(order.size() == old.sizes.size(), "an order of dims has not as many as the tensor");
  for (std::size_t i = 0; i < order.size(); ++i) {
    require(!is_used[order[i]], "an order of dims has one twice");
    is_used[order[i]] = true;
    self.sizes[i] = old.sizes[order[i]];
    self.strides[i] = old.strides[order[i]];
  }
  return viewed(call, std::move(self));
}

std::vector<ValueType> permute(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  std::vector<std::size_t> order;
  for (const std::int64_t dim : call.arguments.get_ints("dims")) {
    order.push_back(InferredCall::dim_of(dim, self.sizes.size()));
  }
  return permuted(call, self, order);
}

std::vector<ValueType> swapped(const InferredCall& call, std::size_t a, std::size_t b) {
  TensorType self = call.tensor("self");
  if (!self.sizes.empty()) {
    std::swap(self.sizes[a], self.sizes[b]);
    std::swap(self.strides[a], self.strides[b]);
  }
  return viewed(call, std::move(self));
}

std::vector<ValueType> transpose(const InferredCall& call) {
  const std::size_t rank = call.tensor("self").sizes.size();
  return swapped(call, call.dim("dim0", rank), call.dim("dim1", rank));
}

std::vector<ValueType> matrix_transpose(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  const std::size_t rank = self.sizes.size();
  if (rank < 2) return {self};
  return swapped(call, rank - 2, rank - 1);
}

std::vector<ValueType> unsqueeze(const InferredCall& call) {
  TensorType self = call.tensor("self");
  const std::size_t dim = call.dim("dim", self.sizes.size() + 1);
  const bool is_last = dim >= self.sizes.size();
  const Size stride = is_last ? Size(1) : self.sizes[dim] * self.strides[dim];
  insert_dim(self, dim, 1, stride);
  return viewed(call, std::move(self));
}

std::vector<ValueType> squeeze(const InferredCall& call) {
  TensorType self = call.tensor("self");
  const std::vector<bool> chosen = call.dims("dim", self.sizes.size());
  for (std::size_t i = chosen.size(); i-- > 0;) {
    if (chosen[i] && self.sizes[i].is(1)) erase_dim(self, i);
  }
  return viewed(call, std::move(self));
}

// ---- Parts ----

/// A bound of a slice, from 0 to `size`. Whether it lies within a symbolic size is decided by the sample
/// inputs, as torch does.
Size bound(const InferredCall& call, const Size& given, const Size& size) {
  if (given.is(kLargest)) return size;
  const auto number = given.hint(call.hints);
  const auto limit = size.hint(call.hints);
  if (given == size || given.is(0)) return given;
  require(number && limit, "whether a slice ends within a symbolic size is not known");
  if (*number >= *limit) return size;
  if (*number >= 0) return given;
  return *number + *limit < 0 ? Size(0) : given + size;
}

/// From `start` on, `length` of `dim`, each `step`th.
TensorType sliced(TensorType self, std::size_t dim, const Size& start, const Size& length,
                  const Size& step = 1) {
  self.offset = self.offset + start * self.strides[dim];
  self.sizes[dim] = length;
  self.strides[dim] = self.strides[dim] * step;
  return self;
}

std::vector<ValueType> slice(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  require(!self.sizes.empty(), "a scalar has no slices");
  const std::size_t dim = call.dim("dim", self.sizes.size());
  const Size& size = self.sizes[dim];
  const Size step = call.size("step");
  require(step.number().value_or(1) > 0, "the step of a slice is above 0");
  const Size start = bound(call, call.has("start") ? call.size("start") : Size(0), size);
  Size end = bound(call, call.has("end") ? call.size("end") : Size(kLargest), size);
  const auto first = start.number();
  const auto last = end.number();
  if (first && last && *last < *first) end = start;
  const Size length = floor_div(end - start + step - Size(1), step);
  return viewed(call, sliced(self, dim, start, length, step));
}

std::vector<ValueType> select(const InferredCall& call) {
  TensorType self = call.tensor("self");
  require(!self.sizes.empty(), "nothing can be selected of a scalar");
  const std::size_t dim = call.dim("dim", self.sizes.size());
  Size index = call.size("index");
  const auto number = index.number();
  const auto limit = self.sizes[dim].number();
  if (number && limit) require(*number >= -*limit && *number < *limit, "the index is not within the dim");
  if (number && *number < 0) index = index + self.sizes[dim];
  self.offset = self.offset + index * self.strides[dim];
  erase_dim(self, dim);
  return viewed(call, std::move(self));
}

std::vector<ValueType> narrow(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  const std::size_t dim = call.dim("dim", self.sizes.size());
  return viewed(call,
                sliced(self, dim, bound(call, call.size("start"), self.sizes[dim]), call.size("length")));
}

/// Parts of `dim` of these lengths, one after the other.
std::vector<ValueType> parts(const InferredCall& call, const TensorType& self, std::size_t dim,
                             const std::vector<Size>& lengths) {
  std::vector<TensorType> results;
  Size start = 0;
  for (const Size& length : lengths) {
    TensorType part = sliced(self, dim, start, length);
    if (is_copy(call)) part = contiguous_like(part, part.sizes);
    results.push_back(std::move(part));
    start = start + length;
  }
  return {results};
}

/// Lengths of `size`, the last one maybe shorter.
std::vector<Size> lengths_of(std::int64_t total, std::int64_t size) {
  std::vector<Size> lengths;
  do {
    lengths.emplace_back(std::min(size, total));
    total -= size;
  } while (total > 0 && size > 0);
  return lengths;
}

std::int64_t known_size(const TensorType& self, std::size_t dim) {
  const auto size = self.sizes[dim].number();
  require(size.has_value(), "how many parts a symbolic size has is not known");
  return *size;
}

std::vector<ValueType> split(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  require(!self.sizes.empty(), "a scalar has no parts");
  const std::size_t dim = call.dim("dim", self.sizes.size());
  if (call.declares("split_sizes") ||
      !call.op.arguments[1].type.items.value_or(std::vector<OperatorType>()).empty()) {
    const std::vector<Size> lengths = call.sizes(call.declares("split_sizes") ? "split_sizes" : "split_size");
    Size sum = 0;
    for (const Size& length : lengths) sum = sum + length;
    require(sum == self.sizes[dim], "the parts are not as long as the whole");
    return parts(call, self, dim, lengths);
  }
  const Size size = call.size("split_size");
  if (size == self.sizes[dim]) return parts(call, self, dim, {size});
  require(size.number().value_or(0) > 0, "the size of parts is above 0");
  return parts(call, self, dim, lengths_of(known_size(self, dim), *size.number()));
}

std::vector<ValueType> chunk(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  require(!self.sizes.empty(), "a scalar has no parts");
  const std::size_t dim = call.dim("dim", self.sizes.size());
  const std::int64_t chunks = call.arguments.get_int("chunks");
  require(chunks > 0, "the number of chunks is above 0");
  if (const auto even = quotient(self.sizes[dim], Size(chunks))) {
    if (!even->number())
      return parts(call, self, dim, std::vector<Size>(static_cast<std::size_t>(chunks), *even));
  }
  const std::int64_t total = known_size(self, dim);
  return parts(call, self, dim, lengths_of(total, (total + chunks - 1) / chunks));
}

std::vector<ValueType> unbind(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  require(!self.sizes.empty(), "a scalar has no parts");
  const std::size_t dim = call.dim("dim", self.sizes.size());
  const std::int64_t count = known_size(self, dim);
  std::vector<TensorType> results;
  for (std::int64_t i = 0; i < count; ++i) {
    TensorType part = sliced(self, dim, i, 1);
    erase_dim(part, dim);
    results.push_back(std::move(part));
  }
  return {results};
}

// ---- Copies ----

std::vector<ValueType> clone(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  return {in_format(call, self, self.dtype)};
}

std::vector<ValueType> contiguous(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  const TensorType copy = in_format(call, self, self.dtype);
  for (std::size_t i = 0; i < self.sizes.size(); ++i) {
    if (!self.sizes[i].is(1) && self.strides[i] != copy.strides[i]) return {copy};
  }
  return {self};
}

}  // namespace

const NamedRules& view_rules() {
  static const NamedRules rules = [] {
    NamedRules made = {{"contiguous", contiguous}, {"clone", clone},          {"reshape", reshape},
                       {"flatten", flatten},       {"unflatten", unflatten},  {"_unsafe_view", view},
                       {"expand_as", expand},      {"repeat", repeat},        {"chunk", chunk},
                       {"narrow", narrow},         {"lift_fresh_copy", clone}};
    const NamedRules with_copies = {{"view", view},
                                    {"alias", same},
                                    {"detach", same},
                                    {"expand", expand},
                                    {"permute", permute},
                                    {"transpose", transpose},
                                    {"t", matrix_transpose},
                                    {"unsqueeze", unsqueeze},
                                    {"squeeze", squeeze},
                                    {"slice", slice},
                                    {"select", select},
                                    {"split", split},
                                    {"split_with_sizes", split},
                                    {"unbind", unbind}};
    for (const NamedRule& rule : with_copies) made.push_back(rule);
    for (const NamedRule& rule : NamedRules{{"detach_", same},
                                            {"mT", matrix_transpose},
                                            {"numpy_T", matrix_transpose},
                                            {"lift_fresh", same},
                                            {"view_copy", view},
                                            {"expand_copy", expand},
                                            {"permute_copy", permute},
                                            {"transpose_copy", transpose},
                                            {"t_copy", matrix_transpose},
                                            {"unsqueeze_copy", unsqueeze},
                                            {"squeeze_copy", squeeze},
                                            {"slice_copy", slice},
                                            {"select_copy", select},
                                            {"split_copy", split},
                                            {"split_with_sizes_copy", split},
                                            {"alias_copy", same},
                                            {"detach_copy", same}}) {
      made.push_back(rule);
    }
    return made;
  }();
  return rules;
}

}  // namespace pt2
