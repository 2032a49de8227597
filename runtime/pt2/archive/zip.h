// Reads zip archives in place: stored members are views of the archive. Writes them as PyTorch does: members
// are stored and aligned, so their data can be mapped. Writers are not thread-safe. Source: PKWARE's
// APPNOTE.TXT 6.3.10, whose section numbers the sources quote; caffe2/serialize/inline_container.cc (PyTorch)
// for the alignment.
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

#include "pt2/archive/file.h"
#include "schemagen/base/limits.h"

namespace pt2 {

/// An entry of the central directory as stored. Only the entry itself has been checked.
struct ZipMember {
  std::string_view name;     // bytes in any encoding; may be absolute or contain "..": never use it as a path
  std::uint16_t method = 0;  // 0 stored, 8 deflated
  std::uint16_t flags = 0;
  std::uint32_t crc32 = 0;
  std::uint64_t compressed_size = 0;  // in the archive
  std::uint64_t size = 0;             // after decompression
  std::uint64_t header_offset = 0;    // of the local header, from the start of the archive
  std::uint64_t entry_offset = 0;     // of the entry itself
};

/// Returns whether `bytes` begin like a zip archive.
bool looks_like_zip(std::string_view bytes);

/// The central directory.
struct ZipDirectory {
  std::uint64_t offset = 0;       // of the first entry, after all members
  std::uint64_t end = 0;          // past the last entry
  std::uint64_t end_records = 0;  // of the first end record
  std::vector<ZipMember> members;
};

/// Reads the central directory of `bytes`, which must outlive the names. Supports ZIP64 and comments. Throws
/// DataError if this is not a zip archive, if it is truncated or has several parts, if its directory
/// contradicts itself, or if it has more members than `limits.container_items`.
ZipDirectory read_zip_directory(std::string_view bytes, const schemagen::Limits& limits);

/// Returns the content of the extra field `id` of a header, or nullopt.
std::optional<std::string_view> find_extra_field(std::string_view fields, std::uint64_t id);

/// Throws DataError about `member`, with the byte `offset`.
[[noreturn]] void fail_at_member(const ZipMember& member, const std::string& reason, std::uint64_t offset);

/// Whether reading a member checks its CRC-32. PyTorch's own reader does not, so some archives that it reads
/// need `ignore`.
enum class Checksums { verify, ignore };

/// The content of a member: a view of the archive if it is stored, otherwise a copy.
class MemberBytes {
 public:
  explicit MemberBytes(std::string_view stored) : stored_(stored) {}
  explicit MemberBytes(std::string inflated)
      : owned_(std::make_unique<const std::string>(std::move(inflated))) {}

  /// Valid as long as the archive's bytes and this object, or the one that it was moved to.
  std::string_view view() const noexcept { return owned_ ? std::string_view(*owned_) : stored_; }

  /// Returns the size of the copy; 0 if stored.
  std::size_t owned_bytes() const noexcept { return owned_ ? owned_->size() : 0; }

 private:
  std::string_view stored_;
  std::unique_ptr<const std::string> owned_;  // null if stored
};

/// The members of a zip archive. Supports ZIP64, comments and data descriptors; rejects multi-part archives,
/// encrypted members and methods other than stored and deflated. Errors name the member and the byte in the
/// archive.
class ZipReader {
 public:
  /// Reads the central directory. `bytes` must outlive the reader, its members and their views; `pages` is
  /// the mapping of `bytes`. Throws the DataErrors of read_zip_directory(), and DataError if two members have
  /// the same name.
  explicit ZipReader(std::string_view bytes, const schemagen::Limits& limits = {},
                     Checksums checksums = Checksums::verify, MappedPages pages = {});
  explicit ZipReader(std::string&&, const schemagen::Limits& = {}, Checksums = Checksums::verify,
                     MappedPages = {}) = delete;

  /// Returns the members in the order of the directory.
  const std::vector<ZipMember>& members() const noexcept { return directory_.members; }

  /// Returns the member with exactly this name, or null. O(log members).
  const ZipMember* find(std::string_view name) const;

  /// Returns the content of a member of this reader. Stored members take no memory. Deflated ones are limited
  /// by memory_bytes, and no memory is allocated for a size that their data cannot have. Throws DataError if
  /// the member is encrypted or damaged, has an unknown method, lies outside the archive, overlaps the next
  /// member, has another name or method in its local header, or exceeds a limit.
  MemberBytes read(const ZipMember& member) const;

  /// Passes the content to `sink` in parts, with memory for one part and no limit on the size. Throws the
  /// errors of read(), but detects damage only at the end, after `sink` has received everything.
  void copy(const ZipMember& member, const ByteSink& sink) const;

  /// Returns the content of a stored member without verifying its checksum, so that it can be opened without
  /// reading it all; nullopt if it is deflated. Throws the errors of read().
  std::optional<std::string_view> stored(const ZipMember& member) const;

  /// Returns a reader of the same archive that hides these members.
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
  std::vector<std::size_t> by_name_;      // indices of the members
  std::vector<std::uint64_t> by_offset_;  // sorted offsets of members
};

/// Writes an archive in one pass. An extra field 'FB' aligns each member's data to 64 bytes. Uses ZIP64 where
/// needed. Writes no times, so equal members give equal bytes.
class ZipWriter {
 public:
  explicit ZipWriter(ByteSink sink) : sink_(std::move(sink)) {}

  /// Adds a member, without checking for duplicate names. Throws UsageError if the name exceeds 65535 bytes,
  /// and what the sink throws.
  void add(std::string_view name, std::string_view content);

  /// Adds a member of `size` bytes that `content` writes. Without `crc32`, calls `content` twice, because the
  /// checksum precedes the bytes. Throws UsageError if it writes more or fewer bytes, and what `content`
  /// throws.
  void add(std::string_view name, std::uint64_t size, const ByteSource& content,
           std::optional<std::uint32_t> crc32 = std::nullopt);

  /// Returns the checksum of the last member.
  std::uint32_t last_crc32() const { return entries_.back().crc32; }

  /// Writes the directory. Nothing can be added after that.
  void finish();

 private:
  struct Entry {
    std::string name;
    std::uint32_t crc32;
    std::uint64_t size;
    std::uint64_t offset;  // of the local header
  };
  void write(std::string_view bytes);
  static std::string local_header(const Entry& entry);
  static std::string directory_entry(const Entry& entry);

  ByteSink sink_;
  std::uint64_t offset_ = 0;
  std::vector<Entry> entries_;
};

}  // namespace pt2
