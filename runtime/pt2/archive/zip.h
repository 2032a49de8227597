// Zip archives, read where they stand: stored members are views of the archive's own bytes.
// Source: PKWARE's APPNOTE.TXT 6.3.10, the section numbers in zip.cpp are from there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "schemagen/value/limits.h"

namespace pt2 {

/// Bounds against hostile archives. Exceeding one is a DataError that names it.
/// Stored members need no bound: they take no memory and lie inside of the archive.
struct ZipLimits {
  std::size_t members = std::size_t{1} << 20;
  std::size_t inflated_bytes = schemagen::Limits{}.input_bytes;  // of one deflated member
  std::size_t inflate_ratio = 1032;  // bytes out per byte in, at least 1; deflate itself ends at 1032
};

/// Whether the CRC-32 of a member is checked when it is read. PyTorch's own reader is built without the
/// check, so there are archives that it reads and that need `ignore`.
enum class Checksums { verify, ignore };

/// One entry of the central directory, as it stands there: nothing but the entry itself is checked yet.
struct ZipMember {
  std::string_view name;     // bytes, in any encoding; may be absolute or hold "..": never use it as a path
  std::uint16_t method = 0;  // 0 stored, 8 deflated
  std::uint16_t flags = 0;
  std::uint32_t crc32 = 0;
  std::uint64_t compressed_size = 0;  // bytes in the archive
  std::uint64_t size = 0;             // bytes when read
  std::uint64_t header_offset = 0;    // of the local header, in bytes from the archive's start
};

/// The content of a member: a view of the archive if it is stored, else bytes of its own.
class MemberBytes {
 public:
  explicit MemberBytes(std::string_view stored) : stored_(stored) {}
  explicit MemberBytes(std::string inflated)
      : owned_(std::make_unique<const std::string>(std::move(inflated))) {}

  /// Valid as long as the archive's bytes and this object, or the one it was moved to, live.
  std::string_view view() const noexcept { return owned_ ? std::string_view(*owned_) : stored_; }

 private:
  std::string_view stored_;
  std::unique_ptr<const std::string> owned_;  // null: stored
};

/// Whether `bytes` begin as a zip archive does.
bool looks_like_zip(std::string_view bytes);

/// The members of a zip archive. ZIP64, comments and data descriptors are understood; archives in several
/// parts, encrypted members and methods other than stored and deflated are refused. Errors name the member
/// and have the byte offset in the archive as their place.
class ZipReader {
 public:
  /// Reads the central directory. `bytes` must outlive the reader, its members and what it reads.
  /// Errors: DataError if this is no zip archive, it is truncated, its directory contradicts itself or has
  /// two members of one name, or there are more members than the limit.
  explicit ZipReader(std::string_view bytes, const ZipLimits& limits = {},
                     Checksums checksums = Checksums::verify);

  /// In the order of the central directory.
  const std::vector<ZipMember>& members() const noexcept { return members_; }

  /// The member of exactly this name; null if there is none. Takes O(log members).
  const ZipMember* find(std::string_view name) const;

  /// The content of a member of this reader.
  /// Limits: memory grows with what is inflated, never with a size that the archive claims.
  /// Errors: DataError if the member is encrypted or of an unknown method, lies outside of the archive, its
  /// local header tells another name or method, its data are damaged, or a limit is exceeded.
  MemberBytes read(const ZipMember& member) const;

 private:
  std::string_view packed_bytes(const ZipMember& member) const;

  std::string_view bytes_;
  ZipLimits limits_;
  Checksums checksums_;
  std::uint64_t directory_offset_ = 0;
  std::vector<ZipMember> members_;
  std::vector<std::size_t> by_name_;  // indexes of members_
};

}  // namespace pt2
