// Tensors: a view of a storage, checked before anybody looks at a byte.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
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

namespace pt2 {

/// All are counted in elements, and none is negative.
struct TensorLayout {
  ScalarType dtype = ScalarType::UNKNOWN;
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;  // one for each dimension; 0: expanded
  std::int64_t offset = 0;            // of the first element, from the start of the storage

  friend bool operator==(const TensorLayout& a, const TensorLayout& b) {
    return a.dtype == b.dtype && a.shape == b.shape && a.strides == b.strides && a.offset == b.offset;
  }
};

/// How much a layout takes; no number is over 2^63 - 1.
struct TensorExtent {
  std::uint64_t element = 0;   // bytes of one
  std::uint64_t elements = 0;  // the product of the sizes
  std::uint64_t bytes = 0;     // of all elements, one after the other
  std::uint64_t storage = 0;   // bytes of the storage up to the end of the last element; 0: no elements
};

/// Errors: DataError if the dtype is not known, there is not one stride for each dimension, a number is
/// negative or leads beyond 2^63 - 1.
TensorExtent extent_of(const TensorLayout& layout);

/// The strides of a tensor of this shape whose elements lie one after the other, the last dimension first. A
/// size of 0 counts as 1, as in torch. Those of no sensible shape are 2^63 - 1 at most.
std::vector<std::int64_t> row_major_strides(const std::vector<std::int64_t>& shape);

/// Whether the elements lie one after the other, in row-major order. Strides of dimensions of size 1 do not
/// matter.
bool is_contiguous(const TensorLayout& layout);

/// What a PT2 archive says of a tensor. Errors: DataError if a size, stride or the offset is symbolic, or the
/// tensor is not strided; else none: see extent_of().
TensorLayout layout_of(const TensorMeta& meta);

/// The other way. The tensor is strided.
TensorMeta meta_of(const TensorLayout& layout, const Device& device, bool requires_grad);

/// A storage, whose bytes are looked at when somebody wants them: a member of a zip archive, or bytes in
/// memory. Tensors that share one have the same object.
class Storage {
 public:
  /// Bytes in memory, or of a mapping with these pages; a view must outlive the storage.
  explicit Storage(MemberBytes bytes, MappedPages pages = {}, ByteOrder order = ByteOrder::little);
  /// `member` of `zip`.
  Storage(std::shared_ptr<const ZipReader> zip, const ZipMember& member, ByteOrder order);

  /// Whether read() takes the time and the memory to inflate it, each time that nobody has it any more.
  bool is_deflated() const noexcept;
  /// In bytes.
  std::uint64_t size() const noexcept { return member_ != nullptr ? member_->size : kept_->view().size(); }
  /// Of its elements. What does not state it is little-endian: PyTorch writes as the machine has it.
  ByteOrder order() const noexcept { return order_; }

  /// All bytes. What the archive has stored is a view of it; what it has deflated is inflated again once
  /// nobody has it any more. Errors: DataError of ZipReader::read(); the checksum is verified once.
  std::shared_ptr<const MemberBytes> read() const;

  /// All bytes in parts, as ZipReader::copy().
  void copy(const ByteSink& sink) const;

  /// The checksum that a copy has, where it is known and copy() verifies it.
  std::optional<std::uint32_t> crc32() const;

  /// The pages that read() is a view of.
  const MappedPages& pages() const noexcept { return pages_; }

 private:
  std::shared_ptr<const ZipReader> zip_;
  const ZipMember* member_ = nullptr;  // null: no member
  MappedPages pages_;
  ByteOrder order_;
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const MemberBytes> kept_;  // takes no memory of its own, or is all there is
  mutable std::weak_ptr<const MemberBytes> inflated_;
};

struct Tensor {
  TensorLayout layout;
  Device device;
  bool requires_grad = false;
  std::shared_ptr<const Storage> storage;  // never null

  /// Whether its bytes are left out: torch writes no bytes for fake tensors, and so does `pt2 strip`. torch
  /// reads zeros then.
  bool is_absent() const { return storage->size() == 0 && extent_of(layout).storage != 0; }
  /// Whether it is absent because it is on the device meta, where tensors have no elements.
  bool is_on_meta() const { return is_absent() && device.type == "meta"; }
};

/// Says that an absent tensor has no bytes, and what can be done about it.
std::string why_absent(const Tensor& tensor);

struct NamedTensor {
  std::string name;
  Tensor tensor;
};

/// Errors: DataError of extent_of(), or if the tensor reaches beyond its storage, or that is not a whole
/// number of elements, which torch asks for. A storage of no bytes at all is right, see Tensor::is_absent().
void check_tensor(const Tensor& tensor);

/// What a program says of such a tensor.
TensorMeta meta_of(const Tensor& tensor);

/// What going through all elements of several tensors may take. A few bytes of a file can be those of any
/// number of tensors and elements; so all may be 8 times the bytes of their storages, and as much again as is
/// given.
class ElementBudget {
 public:
  explicit ElementBudget(std::uint64_t bytes = schemagen::Limits().memory_bytes) noexcept : left_(bytes) {}

  /// Errors: DataError if the tensor is more than what is left; of extent_of().
  void take(const Tensor& tensor);

 private:
  std::set<const Storage*> storages_;
  std::uint64_t left_;
};

/// The elements in row-major order, little-endian, one after the other, in parts.
/// Errors: DataError of check_tensor() and Storage::read(); if the tensor is absent, or expanded to more
/// bytes than `memory_bytes`: a few bytes can stand for any number of them.
void write_row_major(const Tensor& tensor, const ByteSink& sink, const schemagen::Limits& limits = {});

/// The same at once. Errors: also DataError if it is more than `memory_bytes`.
std::string contiguous_bytes(const Tensor& tensor, const schemagen::Limits& limits = {});

/// How many bytes a machine of the other byte order has the other way round: those of an element, or of one
/// part of a complex one.
std::size_t number_bytes(ScalarType dtype);

/// The bytes of `storage` with each `width` of them the other way round, in parts.
void copy_swapped(const Storage& storage, std::size_t width, const ByteSink& sink);

/// Puts `elements`, in row-major order, where `layout` has them in `storage`, which it fits.
void scatter(const TensorLayout& layout, std::string_view elements, std::string& storage);

/// A tensor of the same elements that has a storage of its own, in row-major order.
Tensor contiguous(const Tensor& tensor, const schemagen::Limits& limits = {});

/// A tensor of these elements, row-major and little-endian. Errors: DataError if there are more or fewer.
Tensor make_tensor(ScalarType dtype, std::vector<std::int64_t> shape, std::string bytes);

/// Whether it is float16, bfloat16, float32 or float64: what convert() takes and gives.
bool is_convertible(ScalarType dtype) noexcept;

/// A tensor of the same numbers as `dtype`, rounded to the nearest, of two that are as near to the even one;
/// too large ones are infinite. As in torch, float64 becomes float32 on its way to 16 bits. All of its
/// storage is converted, to one that nothing else shares; if the dtype is the same, the tensor is given back.
/// An absent one stays absent. Errors: DataError of check_tensor() and Storage::read(), or unless
/// is_convertible(), both.
Tensor convert(const Tensor& tensor, ScalarType dtype);

/// The same of the elements of a storage, in parts, which are little-endian.
void copy_converted(const Storage& storage, ScalarType from, ScalarType to, const ByteSink& sink);

/// Of elements as doubles; those of bool are 0 and 1. NaN and infinities are counted and are no part of all
/// else.
struct TensorStatistics {
  std::uint64_t finite = 0;
  std::uint64_t nans = 0;
  std::uint64_t infinities = 0;
  std::uint64_t zeros = 0;
  double minimum = 0.0;  // this and the next: 0 if no element is finite
  double maximum = 0.0;
  double mean = 0.0;
  double deviation = 0.0;  // standard deviation, of all elements and not of a sample
  /// Elements in parts of equal width from `minimum` to `maximum`, which is in the last one. One part if
  /// these are the same, none if no element is finite.
  std::vector<std::uint64_t> histogram;
};

/// Reads the tensor twice, in parts. nullopt: it is absent, or of complex numbers or a dtype without a number
/// format that is known here. Errors: DataError of write_row_major().
std::optional<TensorStatistics> statistics_of(const Tensor& tensor, std::size_t bins,
                                              const schemagen::Limits& limits = {});

}  // namespace pt2
