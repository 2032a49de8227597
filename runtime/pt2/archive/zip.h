// Reads zip archives in place: stored members are views of the archive. Writes them like PyTorch: members are
// stored and aligned, so their data can be mapped. Writers are not thread-safe. Source: PKWARE's APPNOTE.TXT
// 6.3.10, to which section numbers in the sources refer; caffe2/serialize/inline_container.cc (PyTorch) for
// the alignment.
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
  std::uint64_t compressed_size = 0;  // bytes in the archive
  std::uint64_t size = 0;             // uncompressed bytes
  std::uint64_t header_offset = 0;    // of the local header, from the archive's start
  std::uint64_t entry_offset = 0;     // of the entry itself
};

/// Returns whether `bytes` begin like a zip archive.
bool looks_like_zip(std::string_view bytes);

/// The central directory.
struct ZipDirectory {
  std::uint64_t offset = 0;       // of the first entry; members precede it
  std::uint64_t end = 0;          // past the last entry
  std::uint64_t end_records = 0;  // of the first end record
  std::vector<ZipMember> members;
};

/// Reads the central directory of `bytes`, which the names borrow. Supports ZIP64 and comments. Throws
/// DataError if it is not a zip archive, is truncated or in several parts, its directory contradicts itself,
/// or it has more members than `limits.container_items`.
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
  std::unique_ptr<const std::string> owned_;  // null: stored
};

/// The members of a zip archive. Supports ZIP64, comments and data descriptors; rejects multi-part archives,
/// encrypted members and methods other than stored and deflated. Errors name the member and the byte in the
/// archive.
class ZipReader {
 public:
  /// Reads the central directory. `bytes` must outlive the reader, its members and views; `pages` is their
  /// mapping. Throws DataError of read_zip_directory(), or for two members of the same name.
  explicit ZipReader(std::string_view bytes, const schemagen::Limits& limits = {},
                     Checksums checksums = Checksums::verify, MappedPages pages = {});
  explicit ZipReader(std::string&&, const schemagen::Limits& = {}, Checksums = Checksums::verify,
                     MappedPages = {}) = delete;

  /// In directory order.
  const std::vector<ZipMember>& members() const noexcept { return directory_.members; }

  /// Returns the member with exactly this name, or null. O(log members).
  const ZipMember* find(std::string_view name) const;

  /// Returns the content of a member of this reader. Stored members take no memory. Deflated ones are limited
  /// by memory_bytes, and no memory is allocated for a size that their data cannot have. Throws DataError if
  /// the member is encrypted, has an unknown method, lies outside the archive or overlaps the next one, its
  /// local header has another name or method, its data is damaged, or a limit is exceeded.
  MemberBytes read(const ZipMember& member) const;

  /// Passes the content to `sink` in parts, with memory for one part and no size limit. Errors: those of
  /// read(), but damage is detected at the end, after `sink` has received everything.
  void copy(const ZipMember& member, const ByteSink& sink) const;

  /// Returns the content of a stored member without checking its checksum, to open it without reading all of
  /// it; nullopt if it is deflated. Errors: those of read().
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
  std::vector<std::size_t> by_name_;      // indexes of the members
  std::vector<std::uint64_t> by_offset_;  // sorted offsets of members
};

/// Writes an archive in one pass. The data of each member is aligned to 64 bytes by an extra field 'FB'. Uses
/// ZIP64 where needed. Writes no times, so equal members give equal bytes.
class ZipWriter {
 public:
  explicit ZipWriter(ByteSink sink) : sink_(std::move(sink)) {}

  /// Adds a member, without checking for duplicate names. Throws UsageError if the name exceeds 65535 bytes;
  /// errors of the sink.
  void add(std::string_view name, std::string_view content);

  /// Adds a member of `size` bytes that `content` writes. Without `crc32`, calls `content` twice, because the
  /// checksum precedes the bytes. Throws UsageError if it writes more or fewer bytes; errors of `content`.
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
