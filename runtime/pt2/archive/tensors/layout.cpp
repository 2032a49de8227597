#include "pt2/archive/tensors/tensor.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>

#include "pt2/text/type_names.h"
#include "schemagen/base/counted.h"
#include "schemagen/base/error.h"

namespace pt2 {
namespace {

using schemagen::DataError;

constexpr std::uint64_t kMostElements = std::numeric_limits<std::int64_t>::max();

class Bounded {
 public:
  explicit Bounded(std::uint64_t value = 0) : value_(value) {}

  Bounded& add(std::uint64_t other) {
    if (other > kMostElements - value_) refuse();
    value_ += other;
    return *this;
  }
  Bounded& multiply(std::uint64_t other) {
    if (other != 0 && value_ > kMostElements / other) refuse();
    value_ *= other;
    return *this;
  }
  std::uint64_t value() const { return value_; }

 private:
  [[noreturn]] static void refuse() { throw DataError("its size exceeds 2^63 - 1 bytes"); }

  std::uint64_t value_;
};

std::uint64_t non_negative(std::int64_t value, const char* what) {
  if (value < 0) throw DataError("its " + std::string(what) + " is negative: " + std::to_string(value));
  return static_cast<std::uint64_t>(value);
}

std::int64_t literal(const SymInt& value, const char* what) {
  if (const std::int64_t* const number = value.get_if<SymInt::as_int>()) return *number;
  throw DataError("its " + std::string(what) + " is symbolic, but a tensor with data requires a concrete " +
                  what);
}

std::vector<std::int64_t> literals(const std::vector<SymInt>& values, const char* what) {
  std::vector<std::int64_t> numbers;
  numbers.reserve(values.size());
  for (const SymInt& value : values) numbers.push_back(literal(value, what));
  return numbers;
}

std::vector<SymInt> symbolic(const std::vector<std::int64_t>& numbers) {
  std::vector<SymInt> values;
  values.reserve(numbers.size());
  for (const std::int64_t number : numbers) values.push_back(SymInt::of<SymInt::as_int>(number));
  return values;
}

}  // namespace

TensorExtent extent_of(const TensorLayout& layout) {
  const std::optional<std::int64_t> element = element_bytes(layout.dtype);
  if (!element) {
    throw DataError("unknown dtype: number " + std::to_string(static_cast<std::int32_t>(layout.dtype)));
  }
  if (layout.shape.size() != layout.strides.size()) {
    throw DataError("it has " + schemagen::counted(layout.shape.size(), "dimension") + ", but " +
                    schemagen::counted(layout.strides.size(), "stride"));
  }
  TensorExtent extent;
  extent.element = static_cast<std::uint64_t>(*element);
  const bool is_empty = std::find(layout.shape.begin(), layout.shape.end(), 0) != layout.shape.end();
  Bounded elements(is_empty ? 0 : 1);
  Bounded last(non_negative(layout.offset, "storage offset"));
  for (std::size_t i = 0; i < layout.shape.size(); ++i) {
    const std::uint64_t size = non_negative(layout.shape[i], "size");
    const std::uint64_t stride = non_negative(layout.strides[i], "stride");
    if (is_empty) continue;
    elements.multiply(size);
    last.add(Bounded(size - 1).multiply(stride).value());
  }
  extent.elements = elements.value();
  extent.bytes = elements.multiply(extent.element).value();
  extent.storage = is_empty ? 0 : last.add(1).multiply(extent.element).value();
  return extent;
}

std::vector<std::int64_t> row_major_strides(const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> strides(shape.size());
  std::int64_t stride = 1;
  for (std::size_t i = shape.size(); i-- > 0;) {
    strides[i] = stride;
    const std::int64_t size = std::max<std::int64_t>(shape[i], 1);
    stride = stride > std::numeric_limits<std::int64_t>::max() / size
                 ? std::numeric_limits<std::int64_t>::max()
                 : stride * size;
  }
  return strides;
}

bool is_contiguous(const TensorLayout& layout) {
  const std::vector<std::int64_t> expected = row_major_strides(layout.shape);
  if (std::find(layout.shape.begin(), layout.shape.end(), 0) != layout.shape.end()) return true;
  for (std::size_t i = 0; i < layout.shape.size(); ++i) {
    if (layout.shape[i] != 1 && layout.strides[i] != expected[i]) return false;
  }
  return true;
}

TensorLayout layout_of(const TensorMeta& meta) {
  if (meta.layout != Layout::Strided) {
    throw DataError("expected a strided layout, got " + std::string(torch_name(meta.layout)));
  }
  return {meta.dtype, literals(meta.sizes, "size"), literals(meta.strides, "stride"),
          literal(meta.storage_offset, "storage offset")};
}

TensorMeta meta_of(const TensorLayout& layout, const Device& device, bool requires_grad) {
  TensorMeta meta;
  meta.dtype = layout.dtype;
  meta.sizes = symbolic(layout.shape);
  meta.requires_grad = requires_grad;
  meta.device = device;
  meta.strides = symbolic(layout.strides);
  meta.storage_offset = SymInt::of<SymInt::as_int>(layout.offset);
  meta.layout = Layout::Strided;
  return meta;
}

}  // namespace pt2
