#include "pt2/archive/tensors/tensor.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "pt2/text/type_names.h"
#include "schemagen/base/counted.h"
#include "schemagen/base/error.h"

namespace pt2 {
namespace {

using schemagen::DataError;

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
