// Reads and writes zip archives. The reader works in place: stored members are views of the archive. The
// writer stores members uncompressed and aligns them so that their data can be mapped, as PyTorch's writer
// does. Writers are not thread-safe. Source: PKWARE's APPNOTE.TXT 6.3.10 (comments in the source files quote
// its section numbers); caffe2/serialize/inline_container.cc (PyTorch) for the alignment.
#pragma once

#include <functional>
#include <optional>

#include "pt2/archive/file.h"

namespace pt2 {

/// An entry of the central directory. Only the entry itself has been checked, not the member's data.
struct ZipMember {
  /// Bytes in any encoding. Never use the name as a path: it can be absolute or contain "..".
  std::string_view name;
  std::uint16_t method = 0;  // 0: stored; 8: deflated
  std::uint16_t flags = 0;
  std::uint32_t crc32 = 0;
  std::uint64_t compressed_size = 0;  // the size in the archive
  std::uint64_t size = 0;             // the size after decompression
  std::uint64_t header_offset = 0;    // offset of the local header from the start of the archive
  std::uint64_t entry_offset = 0;     // offset of this entry from the start of the archive
};

/// Returns whether `bytes` starts with the signature of a zip archive.
bool looks_like_zip(const SparseBytes& bytes);

/// A zip archive's central directory.
struct ZipDirectory {
  std::uint64_t offset = 0;       // offset of the first entry; all members come before it
  std::uint64_t end = 0;          // offset of the first byte after the last entry
  std::uint64_t end_records = 0;  // offset of the first record after the directory
  std::vector<ZipMember> members;
};

/// Reads the central directory of the zip archive in `bytes`, which must outlive the members' names. Supports
/// ZIP64 and comments. Throws DataError if the bytes are not a zip archive, if the archive is truncated or
/// multi-part, if its directory is inconsistent, or if it has more members than `limits.container_items`.
ZipDirectory read_zip_directory(const SparseBytes& bytes, const schemagen::Limits& limits);

/// Returns the content of the extra field with this id, or nullopt. `fields` contains all extra fields of a
/// header.
std::optional<std::string_view> find_extra_field(std::string_view fields, std::uint64_t id);

/// Throws DataError with the member's name, the reason and the byte offset.
[[noreturn]] void fail_at_member(const ZipMember& member, const std::string& reason, std::uint64_t offset);

/// Whether reading a member verifies its CRC-32. PyTorch's own reader does not, so some archives that PyTorch
/// accepts can be read only with `ignore`.
enum class Checksums { verify, ignore };

/// A member's content: a view of the archive if the member is stored, otherwise a decompressed copy.
class MemberBytes {
 public:
  explicit MemberBytes(std::string_view stored) : stored_(stored) {}
  explicit MemberBytes(std::string inflated)
      : owned_(std::make_unique<const std::string>(std::move(inflated))) {}

  /// Returns the content. The view is valid as long as the archive's bytes and this object (after a move, the
  /// object that it was moved to) exist.
  std::string_view view() const noexcept { return owned_ ? std::string_view(*owned_) : stored_; }

  /// Returns the size of the copy, or 0 if the member is stored.
  std::size_t owned_bytes() const noexcept { return owned_ ? owned_->size() : 0; }

 private:
  std::string_view stored_;
  std::unique_ptr<const std::string> owned_;  // null if the member is stored
};

/// Reads the members of a zip archive. Supports ZIP64, comments and data descriptors. Rejects multi-part
/// archives, encrypted members, and methods other than stored and deflated. Errors name the member and the
/// byte offset in the archive.
class ZipReader {
 public:
  /// Reads the central directory. `bytes` must outlive the reader and all members and views that come from
  /// it. `pages` are the pages of `bytes`, if they are mapped. Throws DataError if two members have the same
  /// name, or if read_zip_directory() does.
  explicit ZipReader(const SparseBytes& bytes, const schemagen::Limits& limits = {},
                     Checksums checksums = Checksums::verify, MappedPages pages = {});
  explicit ZipReader(std::string&&, const schemagen::Limits& = {}, Checksums = Checksums::verify,
                     MappedPages = {}) = delete;

  /// Returns the members in the directory's order.
  const std::vector<ZipMember>& members() const noexcept { return directory_.members; }

  /// Returns the member with exactly this name, or null if there is none. Takes O(log members) time.
  const ZipMember* find(std::string_view name) const;

  /// Returns the content of one of this reader's members. The content of a stored member takes no memory. The
  /// content of a deflated member takes at most Limits::memory_bytes; nothing is allocated if the member
  /// claims a size that its data cannot have.
  ///
  /// Throws DataError if the member is encrypted or damaged, if its method is unknown, if it is not
  /// completely inside the archive, if it overlaps the next member, if its local header has a different name
  /// or method, or if it exceeds a limit.
  MemberBytes read(const ZipMember& member) const;

  /// Passes the content to `sink` in parts. Only one part is in memory at a time, so the member's size is not
  /// limited. Throws DataError for the same reasons as read(), but after `sink` has received some of the
  /// content; a wrong checksum is detected only after the last part.
  void copy(const ZipMember& member, const ByteSink& sink) const;

  /// Returns the content of a stored member without verifying its checksum, and therefore without reading it.
  /// Returns nullopt if the member is deflated. Throws DataError for the same reasons as read(), except for a
  /// wrong checksum.
  std::optional<SparseBytes> stored(const ZipMember& member) const;

  /// Returns the bytes from the member's local header to the next member or the directory, as far as its data
  /// and what is around it can reach.
  ByteRange space_of(const ZipMember& member) const;

  /// Returns a reader of the same archive that hides the members for which `is_left_out` returns true.
  ZipReader without(const std::function<bool(const ZipMember&)>& is_left_out) const;

  Checksums checksums() const noexcept { return checksums_; }
  const MappedPages& pages() const noexcept { return pages_; }

 private:
  SparseBytes packed_bytes(const ZipMember& member) const;
  std::uint64_t end_of_space(const ZipMember& member) const;

  SparseBytes bytes_;
  schemagen::Limits limits_;
  Checksums checksums_;
  MappedPages pages_;
  ZipDirectory directory_;
  std::map<std::string_view, std::size_t> by_name_;  // the numbers of the members
  std::vector<std::uint64_t> by_offset_;             // the members' offsets, sorted
};

/// Writes a zip archive in one pass. Each member has an extra field 'FB' that aligns its data to 64 bytes.
/// Uses ZIP64 where needed. Writes no timestamps, so equal members produce equal bytes.
class ZipWriter {
 public:
  explicit ZipWriter(ByteSink sink) : sink_(std::move(sink)) {}

  /// Adds a member. Does not check for duplicate names. Throws UsageError if the name is longer than 65535
  /// bytes. Also throws whatever the sink throws.
  void add(std::string_view name, std::string_view content);

  /// Adds a member of `size` bytes, which `content` writes. Without `crc32`, calls `content` twice, because
  /// the checksum precedes the data. Throws UsageError if `content` writes more or fewer bytes. Also throws
  /// whatever `content` throws.
  void add(std::string_view name, std::uint64_t size, const ByteSource& content,
           std::optional<std::uint32_t> crc32 = std::nullopt);

  /// Returns the checksum of the member that was added last.
  std::uint32_t last_crc32() const { return entries_.back().crc32; }

  /// Writes the directory. Nothing can be added after that.
  void finish();

 private:
  struct Entry {
    std::string name;
    std::uint32_t crc32;
    std::uint64_t size;
    std::uint64_t offset;  // offset of the local header from the start of the archive
  };
  void write(std::string_view bytes);
  static std::string local_header(const Entry& entry);
  static std::string directory_entry(const Entry& entry);

  ByteSink sink_;
  std::uint64_t offset_ = 0;
  std::vector<Entry> entries_;
};

}  // namespace pt2
