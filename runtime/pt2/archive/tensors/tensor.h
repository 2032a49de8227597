// Represents tensors as views of storages. Also checks and converts tensors, and computes statistics.
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

/// A tensor's dtype, shape and memory layout. The strides and the offset count elements. No number is
/// negative.
struct TensorLayout {
  ScalarType dtype = ScalarType::UNKNOWN;
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;  // one per dimension; 0 for an expanded dimension
  std::int64_t offset = 0;            // offset of the first element from the start of the storage

  friend bool operator==(const TensorLayout& a, const TensorLayout& b) {
    return a.dtype == b.dtype && a.shape == b.shape && a.strides == b.strides && a.offset == b.offset;
  }
};

/// The numbers of elements and bytes that a layout describes. No number exceeds 2^63 - 1.
struct TensorExtent {
  std::uint64_t element = 0;   // the size of one element in bytes
  std::uint64_t elements = 0;  // the number of elements: the product of the shape's sizes
  std::uint64_t bytes = 0;     // the size in bytes of all elements when they are contiguous
  /// Bytes from the start of the storage to the end of the last element; 0 without elements.
  std::uint64_t storage = 0;
};

/// Computes the extent of a layout. Throws DataError if the dtype is unknown, if the numbers of strides and
/// dimensions differ, if a number is negative, or if a number in the extent exceeds 2^63 - 1.
TensorExtent extent_of(const TensorLayout& layout);

/// Returns the strides of a contiguous row-major tensor with this shape. As in torch, a size of 0 is treated
/// as 1. Strides are capped at 2^63 - 1.
std::vector<std::int64_t> row_major_strides(const std::vector<std::int64_t>& shape);

/// Returns whether the elements are contiguous in row-major order. The strides of dimensions of size 1 do not
/// matter.
bool is_contiguous(const TensorLayout& layout);

/// Returns the layout in a PT2 archive's description of a tensor. Throws DataError if a size, a stride or the
/// offset is symbolic, or if the tensor is not strided. Does not check anything else; extent_of() does.
TensorLayout layout_of(const TensorMeta& meta);

/// Returns the description of a strided tensor with this layout.
TensorMeta meta_of(const TensorLayout& layout, const Device& device, bool requires_grad);

/// A storage that reads its bytes on demand, from memory or from a member of a zip archive. Tensors that
/// share a storage share the Storage object.
class Storage {
 public:
  /// Creates a storage for bytes in memory, or for bytes in a mapping whose pages are `pages`. If `bytes` is
  /// a view, the bytes must outlive the storage.
  explicit Storage(MemberBytes bytes, MappedPages pages = {}, ByteOrder order = ByteOrder::little);
  /// Creates a storage that reads its bytes from `member` of `zip`.
  Storage(std::shared_ptr<const ZipReader> zip, const ZipMember& member, ByteOrder order);

  /// Returns whether the bytes are compressed. If they are, read() decompresses them unless an earlier result
  /// is still alive.
  bool is_deflated() const noexcept;
  /// Returns the size in bytes, after decompression.
  std::uint64_t size() const noexcept { return member_ != nullptr ? member_->size : kept_->view().size(); }
  /// Returns the elements' byte order. `not_stated` is treated as little-endian: PyTorch writes in the byte
  /// order of the machine that it runs on, and almost all machines are little-endian.
  ByteOrder order() const noexcept { return order_; }

  /// Returns all bytes. If they are stored uncompressed, the result is a view, and the checksum is verified
  /// only by the first call. Otherwise, the result is the decompressed data, which all returned pointers
  /// share as long as any of them is alive. Throws whatever ZipReader::read() throws.
  std::shared_ptr<const MemberBytes> read() const;

  /// Returns the same bytes as read(), but does not verify the checksum of stored data and therefore does not
  /// touch mapped pages.
  std::shared_ptr<const MemberBytes> read_unverified() const;

  /// Returns the offset in the file of the bytes, without reading them. Returns nullopt if they are
  /// compressed or not in a file. Throws whatever ZipReader::stored() throws.
  std::optional<std::uint64_t> place() const;

  /// Streams all bytes to `sink`; see ZipReader::copy().
  void copy(const ByteSink& sink) const;

  /// Returns the checksum that a copy of the bytes will have, if it is known in advance and copy() verifies
  /// it.
  std::optional<std::uint32_t> crc32() const;

  /// Returns the pages of the mapping that contains the stored bytes.
  const MappedPages& pages() const noexcept { return pages_; }

 private:
  std::shared_ptr<const ZipReader> zip_;
  const ZipMember* member_ = nullptr;  // null if the storage is not a zip member
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

  /// Returns whether the tensor's bytes are missing: torch writes no bytes for fake tensors, and `pt2 strip`
  /// removes the bytes of all tensors. torch loads such tensors as zeros.
  bool is_absent() const { return storage->size() == 0 && extent_of(layout).storage != 0; }
  /// Returns whether the bytes are missing because the tensor is on the meta device.
  bool is_on_meta() const { return is_absent() && device.type == "meta"; }
};

/// Returns text for a message that explains why an absent tensor has no bytes and what the user can do about
/// it.
std::string why_absent(const Tensor& tensor);

struct NamedTensor {
  std::string name;
  Tensor tensor;
};

/// Throws DataError if the tensor exceeds its storage, if the storage's size is not a multiple of the element
/// size, as torch requires, or if extent_of() does. An empty storage is valid; see Tensor::is_absent().
void check_tensor(const Tensor& tensor);

/// Returns the tensor's description in the form used in programs.
TensorMeta meta_of(const Tensor& tensor);

/// Limits the total work on the elements of several tensors. Without a limit, a few bytes in a file could
/// serve as the elements of many tensors. The limit is 8 times the size of all their storages plus a fixed
/// allowance.
class ElementBudget {
 public:
  explicit ElementBudget(std::uint64_t bytes = schemagen::Limits().memory_bytes) noexcept : left_(bytes) {}

  /// Subtracts the work for `tensor` from the budget. Throws DataError if the rest of the budget is too
  /// small, or if extent_of() does.
  void take(const Tensor& tensor);

 private:
  std::set<const Storage*> storages_;
  std::uint64_t left_;
};

/// Streams the elements contiguously, in row-major order and little-endian. Throws DataError if the tensor is
/// absent, or if it is expanded beyond its storage to more than Limits::memory_bytes. Also throws whatever
/// check_tensor() and Storage::read() throw.
void write_row_major(const Tensor& tensor, const ByteSink& sink, const schemagen::Limits& limits = {});

/// Returns the bytes that write_row_major() would stream. Also throws DataError if they exceed
/// Limits::memory_bytes.
std::string contiguous_bytes(const Tensor& tensor, const schemagen::Limits& limits = {});

/// Returns the size in bytes of the unit that has a byte order: an element, or one of the two parts of a
/// complex element.
std::size_t number_bytes(ScalarType dtype);

/// Streams the bytes of `storage` with the bytes of each `width`-byte number reversed.
void copy_swapped(const Storage& storage, std::size_t width, const ByteSink& sink);

/// Writes `elements`, which must be in row-major order, to their places in `storage`. The storage must be
/// large enough.
void scatter(const TensorLayout& layout, std::string_view elements, std::string& storage);

/// Returns a contiguous copy of the tensor, with its own storage. Throws whatever contiguous_bytes() throws.
Tensor contiguous(const Tensor& tensor, const schemagen::Limits& limits = {});

/// Returns a CPU tensor whose elements are `bytes`, in row-major order and little-endian. Throws DataError if
/// the number of bytes does not match the dtype and shape.
Tensor make_tensor(ScalarType dtype, std::vector<std::int64_t> shape, std::string bytes);

/// Returns whether convert() supports the dtype. It supports float16, bfloat16, float32 and float64.
bool is_convertible(ScalarType dtype) noexcept;

/// Returns the tensor converted to `dtype`. Elements are rounded half to even, and elements that are too
/// large become infinite. As in torch, float64 is first rounded to float32 if the result has 16 bits.
///
/// Converts the whole storage to a new one, unless the tensor already has this dtype. An absent tensor stays
/// absent. Throws DataError if is_convertible() is false for either dtype. Also throws whatever
/// check_tensor() and Storage::read() throw.
Tensor convert(const Tensor& tensor, ScalarType dtype);

/// Streams the converted elements of a storage, little-endian.
void copy_converted(const Storage& storage, ScalarType from, ScalarType to, const ByteSink& sink);

/// Statistics of a tensor's elements, which are converted to doubles; bools become 0 and 1. NaNs and
/// infinities are counted but otherwise ignored.
struct TensorStatistics {
  std::uint64_t finite = 0;
  std::uint64_t nans = 0;
  std::uint64_t infinities = 0;
  std::uint64_t zeros = 0;
  double minimum = 0.0;  // this and all following numbers are 0 if no element is finite
  double maximum = 0.0;
  double mean = 0.0;
  double deviation = 0.0;  // the population standard deviation
  /// The number of elements in each of several bins of equal width between `minimum` and `maximum`,
  /// inclusive. Holds a single bin if the two are equal, and is empty if no element is finite.
  std::vector<std::uint64_t> histogram;
};

/// Computes the statistics, with a histogram of `bins` bins. Reads the tensor twice, in parts. Returns
/// nullopt if the tensor is absent or complex, or if its dtype cannot be converted to double. Throws
/// DataError if write_row_major() does.
std::optional<TensorStatistics> statistics_of(const Tensor& tensor, std::size_t bins,
                                              const schemagen::Limits& limits = {});

using DecodeElement = double (*)(const char* bytes);

/// Returns the decoder of a dtype; null for complex and unknown dtypes.
DecodeElement decoder_of(ScalarType dtype);

}  // namespace pt2
