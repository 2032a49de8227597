// The bytes that tensors are views of. A storage may be used from several threads at once.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "pt2/archive/archive.h"
#include "pt2/archive/zip.h"

namespace pt2 {

/// A storage, whose bytes are looked at when somebody wants them: a member of a zip archive, or bytes in
/// memory. Tensors that share one have the same object.
class Storage {
 public:
  /// Bytes in memory, or of a mapping with these pages; a view must outlive the storage.
  explicit Storage(MemberBytes bytes, MappedPages pages = {}, ByteOrder order = ByteOrder::little);
  /// `member` of `zip`.
  Storage(std::shared_ptr<const ZipReader> zip, const ZipMember& member, ByteOrder order);

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

}  // namespace pt2
