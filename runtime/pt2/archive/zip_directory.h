// The central directory of a zip archive. All functions may be called from several threads at once.
// Source: PKWARE's APPNOTE.TXT 6.3.10, the section numbers in the sources are from there.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "schemagen/value/limits.h"

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

/// All entries, and where the first one is: members lie before it.
struct ZipDirectory {
  std::uint64_t offset = 0;
  std::vector<ZipMember> members;
};

/// The central directory of the archive in `bytes`, which its names borrow. ZIP64 and comments are
/// understood. Errors: DataError if this is not a zip archive or one of several parts, it is truncated, its
/// directory contradicts itself, or there are more members than `limits.container_items`.
ZipDirectory read_zip_directory(std::string_view bytes, const schemagen::Limits& limits);

/// Throws DataError about `member`, with the place `offset`.
[[noreturn]] void fail_at_member(const ZipMember& member, const std::string& reason, std::uint64_t offset);

}  // namespace pt2
