#include "pt2/infer/rules.h"

#include <algorithm>
#include <numeric>

#include "pt2/text/join.h"
#include "schemagen/base/counted.h"

namespace pt2 {
namespace {

const Dtype& promotable(ScalarType dtype) {
  const Dtype& row = dtype_row(dtype);
  const bool is_small = row.kind == DtypeKind::floating && row.bytes == 1;
  if (row.kind != DtypeKind::unknown && !is_small) return row;
  fail_inference("cannot promote ", dtype, " with another dtype");
}

ScalarType complex_of(std::int64_t bytes) {
  return bytes == 4   ? ScalarType::COMPLEXHALF
         : bytes == 8 ? ScalarType::COMPLEXFLOAT
                      : ScalarType::COMPLEXDOUBLE;
}

ScalarType promote_whole(const Dtype& a, const Dtype& b) {
  if (a.kind == b.kind) return a.bytes > b.bytes ? a.value : b.value;
  const Dtype& with_sign = a.kind == DtypeKind::signed_integer ? a : b;
  const Dtype& without = a.kind == DtypeKind::signed_integer ? b : a;
  if (without.value != ScalarType::BYTE) fail_inference("cannot promote ", a.torch, " with ", b.torch);
  return with_sign.value == ScalarType::CHAR ? ScalarType::SHORT : with_sign.value;
}

std::vector<std::size_t> channels_last_order(std::size_t rank) {
  std::vector<std::size_t> order(rank);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::rotate(order.begin() + 1, order.begin() + 2, order.end());
  return order;
}

}  // namespace

ScalarType real(ScalarType dtype) {
  if (dtype == ScalarType::COMPLEXHALF) return ScalarType::HALF;
  if (dtype == ScalarType::COMPLEXFLOAT) return ScalarType::FLOAT;
  return dtype == ScalarType::COMPLEXDOUBLE ? ScalarType::DOUBLE : dtype;
}

ScalarType as_complex(ScalarType dtype) {
  return promote(as_float(dtype), ScalarType::COMPLEXHALF);
}

ScalarType as_float(ScalarType dtype) {
  return is_float(dtype) || is_complex(dtype) ? dtype : ScalarType::FLOAT;
}

std::optional<ScalarType> number_dtype(const Argument& argument) {
  const auto is_one_of = [&](auto... kinds) { return ((argument.kind() == kinds) || ...); };
  if (is_one_of(Argument::as_int, Argument::as_sym_int)) return ScalarType::LONG;
  if (is_one_of(Argument::as_float, Argument::as_sym_float)) return ScalarType::FLOAT;
  if (is_one_of(Argument::as_bool, Argument::as_sym_bool)) return ScalarType::BOOL;
  return argument.is<Argument::as_complex>() ? std::optional(ScalarType::COMPLEXFLOAT) : std::nullopt;
}

ScalarType promote(ScalarType a, ScalarType b) {
  if (a == b) return a;
  const Dtype* low = &promotable(a);
  const Dtype* high = &promotable(b);
  if (low->kind > high->kind) std::swap(low, high);
  if (low->kind == DtypeKind::boolean) return high->value;
  if (high->kind < DtypeKind::floating) return promote_whole(*low, *high);
  if (low->kind < DtypeKind::floating) return high->value;
  if (low->kind == DtypeKind::floating && high->kind == DtypeKind::complex) {
    // complex bfloat16 does not exist
    const std::int64_t bytes = low->value == ScalarType::BFLOAT16 ? 8 : 2 * low->bytes;
    return complex_of(std::max(bytes, high->bytes));
  }
  if (low->bytes == high->bytes) return ScalarType::FLOAT;  // float16 and bfloat16
  return low->bytes > high->bytes ? low->value : high->value;
}

std::string sizes_text(const Sizes& sizes) {
  const auto text_of = [](const Size& size) { return expression_text(size.srepr()); };
  return "[" + join_texts(sizes, ", ", text_of) + "]";
}

void require(bool holds, const char* fault) {
  if (!holds) fail_inference(fault);
}

void require_rank(const TensorType& tensor, std::size_t rank) {
  if (tensor.sizes.size() == rank) return;
  fail_inference("expected a tensor of rank ", rank, ", got shape ", tensor.sizes);
}

void require_min_rank(const TensorType& tensor, std::size_t rank) {
  if (tensor.sizes.size() >= rank) return;
  fail_inference("expected a tensor of rank ", rank, " or more, got shape ", tensor.sizes);
}

void require_sizes(const InferredCall& call, const char* name, const Sizes& sizes, const Sizes& expected) {
  const auto is_same = [&](const Size& a, const Size& b) {
    if (a.number().has_value() != b.number().has_value() && !a.has_functions() && !b.has_functions())
      return false;
    return may_equal(a, b, call.hints);
  };
  if (std::equal(sizes.begin(), sizes.end(), expected.begin(), expected.end(), is_same)) return;
  fail_shapes(name, ": expected shape ", expected, ", got ", sizes);
}

void require_same_count(std::size_t count, const char* noun, std::size_t other_count,
                        const char* other_noun) {
  if (count == other_count) return;
  fail_inference(schemagen::counted(count, noun), " for ", schemagen::counted(other_count, other_noun));
}

void require_at_least(const char* name, std::int64_t value, std::int64_t least) {
  if (value >= least) return;
  fail_inference(name, ": expected ", least, " or more, got ", value);
}

void require_at_most(const char* name, const Size& value, const Size& most) {
  if (!value.number() || !most.number() || *value.number() <= *most.number()) return;
  fail_inference(name, ": expected ", *most.number(), " or less, got ", *value.number());
}

Sizes part(const Sizes& sizes, std::size_t begin, std::size_t end) {
  const auto at = [&](std::size_t i) { return sizes.begin() + static_cast<std::ptrdiff_t>(i); };
  return {at(begin), at(end)};
}

Sizes but_last(const Sizes& sizes, std::size_t count) {
  return part(sizes, 0, sizes.size() - count);
}

Sizes concat(Sizes sizes, const Sizes& more) {
  sizes.insert(sizes.end(), more.begin(), more.end());
  return sizes;
}

Sizes multiplied_sizes(Sizes a, Sizes b) {
  if (a.size() < b.size()) a.swap(b);
  const std::size_t skipped = a.size() - b.size();
  for (std::size_t i = 0; i < b.size(); ++i) a[skipped + i] = a[skipped + i] * b[i];
  return a;
}

Sizes replaced(const Sizes& sizes, std::size_t first, std::size_t count, const Sizes& by) {
  return concat(concat(part(sizes, 0, first), by), part(sizes, first + count, sizes.size()));
}

void swap_dims(TensorType& tensor, std::size_t a, std::size_t b) {
  std::swap(tensor.sizes[a], tensor.sizes[b]);
  std::swap(tensor.strides[a], tensor.strides[b]);
}

Sizes broadcast(const Sizes& a, const Sizes& b, const Bindings& hints) {
  const Sizes& longer = a.size() >= b.size() ? a : b;
  const Sizes& shorter = a.size() >= b.size() ? b : a;
  Sizes sizes = longer;
  const std::size_t skipped = longer.size() - shorter.size();
  for (std::size_t i = 0; i < shorter.size(); ++i) {
    Size& size = sizes[skipped + i];
    if (shorter[i].is(1) || may_equal(size, shorter[i], hints)) continue;
    if (!size.is(1)) fail_shapes("cannot broadcast shapes ", a, " and ", b);
    size = shorter[i];
  }
  return sizes;
}

Sizes strides_in(const std::vector<std::size_t>& order, const Sizes& sizes) {
  Sizes strides(sizes.size());
  Size stride = 1;
  for (std::size_t i = order.size(); i-- > 0;) {
    strides[order[i]] = stride;
    stride = stride * sizes[order[i]];
  }
  return strides;
}

Sizes channels_last_strides(const Sizes& sizes) {
  return strides_in(channels_last_order(sizes.size()), sizes);
}

bool is_channels_last(const TensorType& tensor, const Bindings& hints) {
  const std::size_t rank = tensor.sizes.size();
  if (rank != 4 && rank != 5) return false;
  if (tensor.strides == channels_last_strides(tensor.sizes)) {
    return tensor.strides != row_major_strides(tensor.sizes);
  }
  std::vector<std::size_t> order = channels_last_order(rank);
  std::reverse(order.begin(), order.end());
  std::int64_t least = 0;
  for (const std::size_t dim : order) {
    const auto size = tensor.sizes[dim].hint(hints);
    const auto stride = tensor.strides[dim].hint(hints);
    if (!size || !stride || *size == 0 || *stride < least || (dim == 1 && *stride == 0)) return false;
    if (dim == 0 && tensor.strides[1].is(least)) return false;
    least = *stride * std::max<std::int64_t>(*size, 1);
  }
  return true;
}

TensorType images_like(const InferredCall& call, const TensorType& like, Sizes sizes) {
  TensorType result = contiguous_like(like, std::move(sizes));
  const bool has_channels = result.sizes.size() == like.sizes.size();
  if (has_channels && is_channels_last(like, call.hints))
    result.strides = channels_last_strides(result.sizes);
  return result;
}

TensorType in_format(const InferredCall& call, const TensorType& like, ScalarType dtype) {
  const MemoryFormat format = call.has("memory_format") ? call.arguments.get_memory_format("memory_format")
                                                        : MemoryFormat::PreserveFormat;
  if (format == MemoryFormat::PreserveFormat) return dense_like(like, dtype, call.hints);
  TensorType result = contiguous_like(like, dtype, like.sizes);
  if (format == MemoryFormat::ContiguousFormat) return result;
  require_rank(like, format == MemoryFormat::ChannelsLast ? 4 : 5);
  result.strides = channels_last_strides(like.sizes);
  return result;
}

TensorType contiguous_like(const TensorType& like, ScalarType dtype, Sizes sizes) {
  return TensorType(dtype, std::move(sizes), like.device);
}

std::vector<Size> row_major_strides(const std::vector<Size>& sizes) {
  std::vector<Size> strides(sizes.size());
  Size stride = 1;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    strides[i] = stride;
    stride = stride * larger(sizes[i], 1);
  }
  return strides;
}

Size element_count(const std::vector<Size>& sizes) {
  Size count = 1;
  for (const Size& size : sizes) count = count * size;
  return count;
}

Bindings hints_of(const Graph& graph) {
  Bindings hints;
  schemagen::Set known;  // parses each text once
  const auto add = [&](const SymInt& size) {
    const auto* const expression = size.get_if<SymInt::as_expr>();
    if (expression == nullptr || !expression->hint || !expression->hint->is<SymExprHint::as_int>()) return;
    if (!known.insert(expression->expr_str)) return;
    const Expression parsed = parse_expression(expression->expr_str);
    if (!parsed.symbol().empty())
      hints.insert(std::string(parsed.symbol()), expression->hint->get<SymExprHint::as_int>());
  };
  for (const auto& [name, meta] : graph.tensor_values) {
    for (const SymInt& size : meta.sizes) add(size);
  }
  for (const auto& [name, value] : graph.sym_int_values) add(value);
  return hints;
}

Bindings valid_hints(const Graph& graph) {
  try {
    return hints_of(graph);
  } catch (const schemagen::DataError&) {
    return {};
  }
}

TensorType::TensorType(ScalarType element, std::vector<Size> shape, Device place)
    : dtype(element), sizes(std::move(shape)), strides(row_major_strides(sizes)), device(std::move(place)) {}

TensorType::TensorType(const TensorMeta& meta, SizeTexts& texts)
    : dtype(meta.dtype),
      offset(texts.size(meta.storage_offset)),
      device(meta.device),
      requires_grad(meta.requires_grad),
      layout(meta.layout) {
  if (meta.sizes.size() != meta.strides.size()) {
    throw schemagen::DataError(schemagen::counted(meta.sizes.size(), "size") + " for " +
                               schemagen::counted(meta.strides.size(), "stride"));
  }
  const auto parsed = [&](const SymInt& size) { return texts.size(size); };
  sizes = mapped(meta.sizes, parsed);
  strides = mapped(meta.strides, parsed);
}

TensorType::TensorType(const TensorMeta& meta) {
  SizeTexts texts;
  *this = TensorType(meta, texts);
}

TensorMeta TensorType::meta(const Bindings& hints) const {
  TensorMeta meta;
  meta.dtype = dtype;
  const auto written = [&](const Size& size) { return size.sym_int(hints); };
  meta.sizes = mapped(sizes, written);
  meta.strides = mapped(strides, written);
  meta.storage_offset = offset.sym_int(hints);
  meta.device = device;
  meta.requires_grad = requires_grad;
  meta.layout = layout;
  return meta;
}

}  // namespace pt2
