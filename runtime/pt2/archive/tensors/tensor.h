// Tensors: checked views of storages.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "pt2/archive/archive.h"
#include "pt2/archive/file.h"
#include "pt2/archive/zip.h"
#include "pt2/types.h"
#include "schemagen/base/limits.h"
#include "schemagen/base/mutex.h"

namespace pt2 {

/// The shape and memory layout of a tensor. Numbers count elements and are not negative.
struct TensorLayout {
  ScalarType dtype = ScalarType::UNKNOWN;
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;  // one per dimension; 0 if it is expanded
  std::int64_t offset = 0;            // of the first element, from the start of the storage

  friend bool operator==(const TensorLayout& a, const TensorLayout& b) {
    return a.dtype == b.dtype && a.shape == b.shape && a.strides == b.strides && a.offset == b.offset;
  }
};

/// The size of a layout. No number exceeds 2^63 - 1.
struct TensorExtent {
  std::uint64_t element = 0;   // bytes of one element
  std::uint64_t elements = 0;  // the product of the sizes
  std::uint64_t bytes = 0;     // bytes of all elements, contiguous
  std::uint64_t storage = 0;   // bytes of the storage up to the end of the last element, or 0
};

/// Throws DataError if the dtype is unknown, if the numbers of strides and dimensions differ, or if a number
/// is negative or a size exceeds 2^63 - 1.
TensorExtent extent_of(const TensorLayout& layout);

/// Returns the strides of a contiguous row-major tensor of this shape. A size of 0 counts as 1, as in torch.
/// Strides are capped at 2^63 - 1.
std::vector<std::int64_t> row_major_strides(const std::vector<std::int64_t>& shape);

/// Returns whether the elements are contiguous in row-major order. Ignores the strides of dimensions of size
/// 1.
bool is_contiguous(const TensorLayout& layout);

/// Returns the layout from a PT2 archive's description of a tensor. Throws DataError if a size, a stride or
/// the offset is symbolic, or if the tensor is not strided. Checks nothing else: see extent_of().
TensorLayout layout_of(const TensorMeta& meta);

/// Returns the description for a layout. The tensor is strided.
TensorMeta meta_of(const TensorLayout& layout, const Device& device, bool requires_grad);

/// A storage that reads its bytes on demand, from a member of a zip archive or from memory. Tensors that
/// share a storage share the object.
class Storage {
 public:
  /// Takes bytes in memory, or in a mapping with these pages. If they are a view, it must outlive the
  /// storage.
  explicit Storage(MemberBytes bytes, MappedPages pages = {}, ByteOrder order = ByteOrder::little);
  /// Reads from `member` of `zip`.
  Storage(std::shared_ptr<const ZipReader> zip, const ZipMember& member, ByteOrder order);

  /// Returns whether read() decompresses the bytes whenever no earlier result is alive.
  bool is_deflated() const noexcept;
  /// Returns the size in bytes.
  std::uint64_t size() const noexcept { return member_ != nullptr ? member_->size : kept_->view().size(); }
  /// Returns the byte order of the elements. If it is not stated, it is assumed to be little-endian, because
  /// PyTorch writes the machine's order.
  ByteOrder order() const noexcept { return order_; }

  /// Returns all bytes: a view of stored data, or decompressed data, which is shared while a result is alive.
  /// Throws the DataErrors of ZipReader::read(). Verifies the checksum once.
  std::shared_ptr<const MemberBytes> read() const;

  /// Returns the same as read() without verifying the checksum of stored data, so that mapped pages are not
  /// read.
  std::shared_ptr<const MemberBytes> read_unverified() const;

  /// Streams all bytes, as ZipReader::copy() does.
  void copy(const ByteSink& sink) const;

  /// Returns the checksum that a copy will have, if it is known and copy() verifies it.
  std::optional<std::uint32_t> crc32() const;

  /// Returns the pages behind the views that read() returns.
  const MappedPages& pages() const noexcept { return pages_; }

 private:
  std::shared_ptr<const ZipReader> zip_;
  const ZipMember* member_ = nullptr;  // null if it is not a member
  MappedPages pages_;
  ByteOrder order_;
  mutable schemagen::Mutex mutex_;
  mutable std::shared_ptr<const MemberBytes> kept_;  // a view, or the only copy
  mutable std::weak_ptr<const MemberBytes> inflated_;
};

struct Tensor {
  TensorLayout layout;
  Device device;
  bool requires_grad = false;
  std::shared_ptr<const Storage> storage;  // never null

  /// Returns whether the bytes are missing: torch writes none for fake tensors, and `pt2 strip` removes them.
  /// torch reads zeros instead.
  bool is_absent() const { return storage->size() == 0 && extent_of(layout).storage != 0; }
  /// Returns whether the bytes are missing because the tensor is on the device meta.
  bool is_on_meta() const { return is_absent() && device.type == "meta"; }
};

/// Returns the message that an absent tensor has no bytes, with a remedy.
std::string why_absent(const Tensor& tensor);

struct NamedTensor {
  std::string name;
  Tensor tensor;
};

/// Throws the DataErrors of extent_of(). Throws DataError if the tensor exceeds its storage, or if the
/// storage's size is not a multiple of the element size, which torch requires. An empty storage is valid: see
/// Tensor::is_absent().
void check_tensor(const Tensor& tensor);

/// Returns the description of the tensor for a program.
TensorMeta meta_of(const Tensor& tensor);

/// Limits the work on the elements of several tensors, because a few bytes of a file can be the elements of
/// many tensors. The limit is 8 times the bytes of their storages plus an allowance.
class ElementBudget {
 public:
  explicit ElementBudget(std::uint64_t bytes = schemagen::Limits().memory_bytes) noexcept : left_(bytes) {}

  /// Throws DataError if the tensor exceeds what is left, and the errors of extent_of().
  void take(const Tensor& tensor);

 private:
  std::set<const Storage*> storages_;
  std::uint64_t left_;
};

/// Streams the elements, contiguous, row-major and little-endian. Throws the DataErrors of check_tensor() and
/// Storage::read(). Throws DataError if the tensor is absent or is expanded to more than `memory_bytes`.
void write_row_major(const Tensor& tensor, const ByteSink& sink, const schemagen::Limits& limits = {});

/// Returns the same bytes in one string. Also throws DataError if they exceed `memory_bytes`.
std::string contiguous_bytes(const Tensor& tensor, const schemagen::Limits& limits = {});

/// Returns the width of the numbers that depend on the byte order: of an element, or of one part of a complex
/// element.
std::size_t number_bytes(ScalarType dtype);

/// Streams the bytes of `storage` with the bytes of each `width`-byte number reversed.
void copy_swapped(const Storage& storage, std::size_t width, const ByteSink& sink);

/// Writes `elements`, given in row-major order, to their places in `storage`, which must be large enough.
void scatter(const TensorLayout& layout, std::string_view elements, std::string& storage);

/// Returns a contiguous copy with its own storage.
Tensor contiguous(const Tensor& tensor, const schemagen::Limits& limits = {});

/// Returns a tensor with these row-major little-endian elements. Throws DataError if their number is wrong.
Tensor make_tensor(ScalarType dtype, std::vector<std::int64_t> shape, std::string bytes);

/// Returns whether convert() supports the dtype: float16, bfloat16, float32 and float64.
bool is_convertible(ScalarType dtype) noexcept;

/// Returns the tensor converted to `dtype`, rounded half to even; numbers that are too large become infinite.
/// As in torch, float64 is rounded to float32 on the way to 16 bits. Converts the whole storage to a new one;
/// returns the same tensor if the dtype is the same. An absent tensor stays absent. Throws the DataErrors of
/// check_tensor() and Storage::read(), and DataError if is_convertible() is false for one of the dtypes.
Tensor convert(const Tensor& tensor, ScalarType dtype);

/// Streams the converted elements of a storage, little-endian.
void copy_converted(const Storage& storage, ScalarType from, ScalarType to, const ByteSink& sink);

/// Statistics of elements as doubles; bools are 0 and 1. NaN and infinities are counted but otherwise
/// ignored.
struct TensorStatistics {
  std::uint64_t finite = 0;
  std::uint64_t nans = 0;
  std::uint64_t infinities = 0;
  std::uint64_t zeros = 0;
  double minimum = 0.0;  // minimum and maximum are 0 if no element is finite
  double maximum = 0.0;
  double mean = 0.0;
  double deviation = 0.0;  // of the population
  /// Counts in bins of equal width from `minimum` to `maximum`, inclusive. There is one bin if both are
  /// equal, and none if no element is finite.
  std::vector<std::uint64_t> histogram;
};

/// Returns the statistics, reading the tensor twice, in parts. Returns nullopt if it is absent, complex, or
/// of a dtype that decoder_of() lacks. Throws the DataErrors of write_row_major().
std::optional<TensorStatistics> statistics_of(const Tensor& tensor, std::size_t bins,
                                              const schemagen::Limits& limits = {});

}  // namespace pt2
