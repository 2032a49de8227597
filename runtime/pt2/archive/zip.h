// Zip archives, read where they stand: stored members are views of the archive's own bytes; and written as
// PyTorch writes them: members are stored, and their data can be mapped. A writer is for one thread at a
// time. Source: PKWARE's APPNOTE.TXT 6.3.10, the section numbers in the sources are from there;
// caffe2/serialize/inline_container.cc (PyTorch) for the alignment.
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

/// One entry of the central directory, as it stands there: nothing but the entry itself is checked yet.
struct ZipMember {
  std::string_view name;     // bytes, in any encoding; may be absolute or hold "..": never use it as a path
  std::uint16_t method = 0;  // 0 stored, 8 deflated
  std::uint16_t flags = 0;
  std::uint32_t crc32 = 0;
  std::uint64_t compressed_size = 0;  // bytes in the archive
  std::uint64_t size = 0;             // bytes when read
  std::uint64_t header_offset = 0;    // of the local header, in bytes from the archive's start
  std::uint64_t entry_offset = 0;     // of the entry itself
};

/// Whether `bytes` begin as a zip archive does.
bool looks_like_zip(std::string_view bytes);

/// All entries, and where they are.
struct ZipDirectory {
  std::uint64_t offset = 0;       // of the first entry: members lie before it
  std::uint64_t end = 0;          // past the last entry
  std::uint64_t end_records = 0;  // of the first of the records that end the archive
  std::vector<ZipMember> members;
};

/// The central directory of the archive in `bytes`, which its names borrow. ZIP64 and comments are
/// understood. Errors: DataError if this is not a zip archive or one of several parts, it is truncated, its
/// directory contradicts itself, or there are more members than `limits.container_items`.
ZipDirectory read_zip_directory(std::string_view bytes, const schemagen::Limits& limits);

/// The content of the field with this id among the extra fields of a header; nullopt: there is none.
std::optional<std::string_view> find_extra_field(std::string_view fields, std::uint64_t id);

/// Throws DataError about `member`, with the place `offset`.
[[noreturn]] void fail_at_member(const ZipMember& member, const std::string& reason, std::uint64_t offset);

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

/// Writes an archive from its first byte to its last. The data of each member begin at a multiple of 64
/// bytes: an extra field 'FB' pads its header. Sizes, places and numbers of members that need it are in ZIP64
/// form. The same members give the same bytes: there are no times in them.
class ZipWriter {
 public:
  explicit ZipWriter(ByteSink sink) : sink_(std::move(sink)) {}

  /// Adds a member. Names are not compared with those of earlier members.
  /// Errors: UsageError if the name is longer than 65535 bytes; those of the sink.
  void add(std::string_view name, std::string_view content);

  /// Adds a member of `size` bytes that `content` gives, in parts; `crc32` is known of what is copied. Where
  /// it is not, `content` is called twice: the checksum stands before the bytes. Errors: also those of
  /// `content`; UsageError if it gives more or fewer bytes.
  void add(std::string_view name, std::uint64_t size, const ByteSource& content,
           std::optional<std::uint32_t> crc32 = std::nullopt);

  /// The checksum of the member that was added last.
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
