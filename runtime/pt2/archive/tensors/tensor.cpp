#include "pt2/archive/tensors/tensor.h"

#include <cstring>
#include <limits>

#include "pt2/archive/zip_bytes.h"
#include "pt2/text/type_names.h"
#include "schemagen/base/counted.h"

namespace pt2 {
namespace {

using schemagen::DataError;

constexpr std::uint64_t kMostElements = std::numeric_limits<std::int64_t>::max();

/// Returns `a` * `b` + `c`.
std::uint64_t bounded(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  if (b != 0 && a > (kMostElements - c) / b) throw DataError("its size exceeds 2^63 - 1 bytes");
  return a * b + c;
}

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

constexpr std::size_t kPartSize = std::size_t{1} << 20;

void swap_numbers(std::string& bytes, std::size_t number) {
  for (std::size_t at = 0; number > 1 && at + number <= bytes.size(); at += number) {
    std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                 bytes.begin() + static_cast<std::ptrdiff_t>(at + number));
  }
}

class Elements {
 public:
  Elements(const TensorLayout& layout, std::size_t element)
      : shape_(layout.shape), strides_(layout.strides), index_(layout.shape.size()) {
    at_ = static_cast<std::size_t>(layout.offset) * element;
    for (std::int64_t& stride : strides_) stride *= static_cast<std::int64_t>(element);
  }

  std::size_t at() const { return at_; }

  void advance() {
    for (std::size_t i = shape_.size(); i-- > 0;) {
      at_ += static_cast<std::size_t>(strides_[i]);
      if (++index_[i] < shape_[i]) return;
      at_ -= static_cast<std::size_t>(strides_[i]) * static_cast<std::size_t>(shape_[i]);
      index_[i] = 0;
    }
  }

 private:
  std::vector<std::int64_t> shape_;
  std::vector<std::int64_t> strides_;
  std::vector<std::int64_t> index_;
  std::size_t at_ = 0;
};

void gather(const Tensor& tensor, const TensorExtent& extent, std::string_view bytes, const ByteSink& sink) {
  const std::size_t element = static_cast<std::size_t>(extent.element);
  const bool is_swapped = tensor.storage->order() == ByteOrder::big;
  Elements elements(tensor.layout, element);
  for (std::uint64_t left = extent.elements; left != 0;) {
    const std::size_t count = static_cast<std::size_t>(std::min<std::uint64_t>(left, kPartSize / element));
    std::string part(count * element, '\0');
    for (std::size_t i = 0; i < count; ++i, elements.advance()) {
      std::memcpy(&part[i * element], bytes.data() + elements.at(), element);
    }
    if (is_swapped) swap_numbers(part, number_bytes(tensor.layout.dtype));
    sink(part);
    tensor.storage->pages().notify(part);
    tensor.storage->pages().release(bytes);
    left -= count;
  }
}

void require_possible(const Tensor& tensor, const TensorExtent& extent, const schemagen::Limits& limits) {
  if (tensor.is_absent()) throw DataError(why_absent(tensor));
  if (extent.bytes > tensor.storage->size() && extent.bytes > limits.memory_bytes) {
    throw DataError("it is expanded from " + schemagen::counted(tensor.storage->size(), "byte") + " to " +
                    std::to_string(extent.bytes) + ", over the limit of " +
                    std::to_string(limits.memory_bytes) + " (memory_bytes)");
  }
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
  extent.elements = is_empty ? 0 : 1;
  std::uint64_t last = non_negative(layout.offset, "storage offset");
  for (std::size_t i = 0; i < layout.shape.size(); ++i) {
    const std::uint64_t size = non_negative(layout.shape[i], "size");
    const std::uint64_t stride = non_negative(layout.strides[i], "stride");
    if (is_empty) continue;
    extent.elements = bounded(extent.elements, size, 0);
    last = bounded(size - 1, stride, last);
  }
  extent.bytes = bounded(extent.elements, extent.element, 0);
  extent.storage = is_empty ? 0 : bounded(bounded(last, 1, 1), extent.element, 0);
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

Storage::Storage(MemberBytes bytes, MappedPages pages, ByteOrder order)
    : pages_(pages), order_(order), kept_(std::make_shared<const MemberBytes>(std::move(bytes))) {}

Storage::Storage(std::shared_ptr<const ZipReader> zip, const ZipMember& member, ByteOrder order)
    : zip_(std::move(zip)), member_(&member), pages_(zip_->pages()), order_(order) {}

std::shared_ptr<const MemberBytes> Storage::read() const {
  const schemagen::MutexLock lock(mutex_);
  if (kept_) return kept_;
  if (std::shared_ptr<const MemberBytes> inflated = inflated_.lock()) return inflated;
  auto bytes = std::make_shared<const MemberBytes>(zip_->read(*member_));
  if (bytes->owned_bytes() == 0) {
    kept_ = bytes;
  } else {
    inflated_ = bytes;
  }
  return bytes;
}

std::shared_ptr<const MemberBytes> Storage::read_unverified() const {
  if (member_ != nullptr) {
    if (const std::optional<SparseBytes> bytes = zip_->stored(*member_))
      return std::make_shared<const MemberBytes>(bytes->whole());
  }
  return read();
}

std::optional<std::uint64_t> Storage::place() const {
  const std::optional<SparseBytes> bytes = member_ == nullptr ? std::nullopt : zip_->stored(*member_);
  return bytes ? std::optional(bytes->begin()) : std::nullopt;
}

void Storage::copy(const ByteSink& sink) const {
  member_ != nullptr ? zip_->copy(*member_, sink) : for_each_part(kept_->view(), pages_, sink);
}

bool Storage::is_deflated() const noexcept {
  return member_ != nullptr && member_->method != zip::kStored;
}

std::optional<std::uint32_t> Storage::crc32() const {
  if (member_ == nullptr || zip_->checksums() == Checksums::ignore) return std::nullopt;
  return member_->crc32;
}

std::string why_absent(const Tensor& tensor) {
  return tensor.is_on_meta() ? "it is on the meta device and has no bytes; hint: move it to another device "
                               "with pt2 retarget"
                             : "its bytes are not in the archive; hint: attach the weights with pt2 attach";
}

std::size_t number_bytes(ScalarType dtype) {
  const std::size_t element = static_cast<std::size_t>(element_bytes(dtype).value_or(1));
  return is_complex(dtype) ? element / 2 : element;
}

void copy_swapped(const Storage& storage, std::size_t width, const ByteSink& sink) {
  const std::shared_ptr<const MemberBytes> bytes = storage.read();
  for_each_part(bytes->view(), storage.pages(), [&](std::string_view part) {
    std::string swapped(part);
    swap_numbers(swapped, width);
    sink(swapped);
  });
}

void scatter(const TensorLayout& layout, std::string_view elements, std::string& storage) {
  const std::size_t element = static_cast<std::size_t>(extent_of(layout).element);
  Elements places(layout, element);
  for (std::size_t at = 0; at < elements.size(); at += element, places.advance()) {
    std::memcpy(&storage[places.at()], &elements[at], element);
  }
}

TensorMeta meta_of(const Tensor& tensor) {
  return meta_of(tensor.layout, tensor.device, tensor.requires_grad);
}

void check_tensor(const Tensor& tensor) {
  const TensorExtent extent = extent_of(tensor.layout);
  const std::uint64_t size = tensor.storage->size();
  if (size % extent.element != 0) {
    throw DataError("its storage has " + schemagen::counted(size, "byte") +
                    ", which is not a multiple of the element size, " + std::to_string(extent.element));
  }
  if (size != 0 && extent.storage > size) {
    throw DataError("it ends at byte " + std::to_string(extent.storage) + ", but its storage has " +
                    schemagen::counted(size, "byte"));
  }
}

void ElementBudget::take(const Tensor& tensor) {
  constexpr std::uint64_t kTimes = 8;
  const std::uint64_t storage = tensor.storage->size();
  if (storages_.insert(tensor.storage.get()).second)
    left_ += std::min(storage, (UINT64_MAX - left_) / kTimes) * kTimes;
  const std::uint64_t inflated = tensor.storage->is_deflated() ? storage : 0;
  const std::uint64_t bytes = extent_of(tensor.layout).bytes;
  if (bytes > left_ || inflated > left_ - bytes) throw DataError("too many tensors share the same bytes");
  left_ -= bytes + inflated;
}

void write_row_major(const Tensor& tensor, const ByteSink& sink, const schemagen::Limits& limits) {
  check_tensor(tensor);
  const TensorExtent extent = extent_of(tensor.layout);
  if (extent.elements == 0) return;
  require_possible(tensor, extent, limits);
  const bool is_in_order = is_contiguous(tensor.layout) && tensor.storage->order() != ByteOrder::big;
  // One pass: read() would verify the checksum in a second one.
  if (is_in_order && extent.bytes == tensor.storage->size()) return tensor.storage->copy(sink);
  const std::shared_ptr<const MemberBytes> storage = tensor.storage->read();
  const std::string_view bytes = storage->view();
  if (!is_in_order) return gather(tensor, extent, bytes, sink);
  const std::size_t start = static_cast<std::size_t>(extent.storage - extent.bytes);
  for_each_part(bytes.substr(start, static_cast<std::size_t>(extent.bytes)), tensor.storage->pages(), sink);
}

std::string contiguous_bytes(const Tensor& tensor, const schemagen::Limits& limits) {
  const std::uint64_t size = extent_of(tensor.layout).bytes;
  if (size > limits.memory_bytes)
    throw DataError(schemagen::too_many_bytes("a tensor", size, limits.memory_bytes));
  std::string bytes;
  bytes.reserve(static_cast<std::size_t>(size));
  write_row_major(
      tensor, [&](std::string_view part) { bytes += part; }, limits);
  return bytes;
}

Tensor contiguous(const Tensor& tensor, const schemagen::Limits& limits) {
  Tensor copy = tensor;
  copy.layout.strides = row_major_strides(copy.layout.shape);
  copy.layout.offset = 0;
  copy.storage = std::make_shared<const Storage>(MemberBytes(contiguous_bytes(tensor, limits)));
  return copy;
}

Tensor make_tensor(ScalarType dtype, std::vector<std::int64_t> shape, std::string bytes) {
  Tensor tensor;
  std::vector<std::int64_t> strides = row_major_strides(shape);
  tensor.layout = {dtype, std::move(shape), std::move(strides), 0};
  tensor.device.type = "cpu";
  const std::uint64_t expected = extent_of(tensor.layout).bytes;
  if (expected != bytes.size()) {
    throw DataError("expected " + schemagen::counted(expected, "byte") + " for a tensor of this shape, got " +
                    std::to_string(bytes.size()));
  }
  tensor.storage = std::make_shared<const Storage>(MemberBytes(std::move(bytes)));
  return tensor;
}

}  // namespace pt2
