// Zip archives, read where they stand: stored members are views of the archive's own bytes.
// A reader may be used from several threads at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pt2/archive/byte_sink.h"
#include "pt2/archive/file.h"
#include "pt2/archive/zip_directory.h"
#include "schemagen/value/limits.h"

namespace pt2 {

/// Whether the CRC-32 of a member is checked when it is read. PyTorch's own reader is built without the
/// check, so there are archives that it reads and that need `ignore`.
enum class Checksums { verify, ignore };

/// The content of a member: a view of the archive if it is stored, else bytes of its own.
class MemberBytes {
 public:
  explicit MemberBytes(std::string_view stored) : stored_(stored) {}
  explicit MemberBytes(std::string inflated)
      : owned_(std::make_unique<const std::string>(std::move(inflated))) {}

  /// Valid as long as the archive's bytes and this object, or the one it was moved to, live.
  std::string_view view() const noexcept { return owned_ ? std::string_view(*owned_) : stored_; }

  /// How many bytes of its own it takes: none, if it is stored.
  std::size_t owned_bytes() const noexcept { return owned_ ? owned_->size() : 0; }

 private:
  std::string_view stored_;
  std::unique_ptr<const std::string> owned_;  // null: stored
};

/// The members of a zip archive. ZIP64, comments and data descriptors are understood; multi-part archives,
/// encrypted members and methods other than stored and deflated are refused. Errors name the member and have
/// a byte offset in the archive as their place.
class ZipReader {
 public:
  /// Reads the central directory. `bytes` must outlive the reader, its members and what it reads; `pages` are
  /// those that they are mapped to.
  /// Errors: DataError as of read_zip_directory(), or if two members have one name.
  explicit ZipReader(std::string_view bytes, const schemagen::Limits& limits = {},
                     Checksums checksums = Checksums::verify, MappedPages pages = {});
  explicit ZipReader(std::string&&, const schemagen::Limits& = {}, Checksums = Checksums::verify,
                     MappedPages = {}) = delete;

  /// In the order of the central directory.
  const std::vector<ZipMember>& members() const noexcept { return directory_.members; }

  /// The member of exactly this name; null if there is none. Takes O(log members).
  const ZipMember* find(std::string_view name) const;

  /// The content of a member of this reader. Stored members take no memory; of a deflated one, the limit is
  /// memory_bytes, and no memory is taken for a size that its compressed data cannot have.
  /// Errors: DataError if the member is encrypted or of an unknown method, lies outside the archive or
  /// reaches into the next one, its local header has a different name or method, its data is damaged, or a
  /// limit is exceeded.
  MemberBytes read(const ZipMember& member) const;

  /// Gives the same content to `sink` in parts, and takes memory for one of them; there is no limit to its
  /// size. Errors: as read(), but that the data is damaged is found at its end, when `sink` has had it all.
  void copy(const ZipMember& member, const ByteSink& sink) const;

  /// The content of a stored member as it stands, its checksum not looked at: to open what is in it without
  /// reading it all; nullopt: it is deflated. Errors: as read().
  std::optional<std::string_view> stored(const ZipMember& member) const;

  /// The same archive as if it had no such members.
  ZipReader without(const std::function<bool(const ZipMember&)>& is_left_out) const;

  Checksums checksums() const noexcept { return checksums_; }
  const MappedPages& pages() const noexcept { return pages_; }

 private:
  std::string_view packed_bytes(const ZipMember& member) const;
  std::uint64_t end_of_space(const ZipMember& member) const;

  std::string_view bytes_;
  schemagen::Limits limits_;
  Checksums checksums_;
  MappedPages pages_;
  ZipDirectory directory_;
  std::vector<std::size_t> by_name_;      // indexes of the members
  std::vector<std::uint64_t> by_offset_;  // where members begin, in order
};

}  // namespace pt2
