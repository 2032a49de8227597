// Section numbers refer to PKWARE's APPNOTE.TXT 6.3.10.
#pragma once

#include <string>
#include <utility>

#include "pt2/archive/sparse_bytes.h"

namespace pt2::zip {

// Signatures, and sizes of the fixed parts.
inline constexpr std::string_view kLocalHeader = "PK\3\4";     // 4.3.7
inline constexpr std::string_view kDescriptor = "PK\7\10";     // 4.3.9
inline constexpr std::string_view kDirectoryEntry = "PK\1\2";  // 4.3.12
inline constexpr std::string_view kEndRecord64 = "PK\6\6";     // 4.3.14
inline constexpr std::string_view kEndLocator64 = "PK\6\7";    // 4.3.15
inline constexpr std::string_view kEndRecord = "PK\5\6";       // 4.3.16
inline constexpr std::size_t kLocalHeaderSize = 30;
inline constexpr std::size_t kDirectoryEntrySize = 46;
inline constexpr std::size_t kEndRecord64Size = 56;
inline constexpr std::size_t kEndLocator64Size = 20;
inline constexpr std::size_t kEndRecordSize = 22;
inline constexpr std::size_t kMaxComment = 0xFFFF;

// Compression methods (4.4.5).
inline constexpr std::uint16_t kStored = 0;
inline constexpr std::uint16_t kDeflated = 8;

// General purpose bits (4.4.4).
inline constexpr unsigned kEncryptedBits =
    1u << 0 | 1u << 6 | 1u << 13;                  // data, strong encryption, directory
inline constexpr unsigned kStreamedBit = 1u << 3;  // the sizes follow the data
inline constexpr unsigned kUtf8Bit = 1u << 11;

// All ones refer to the ZIP64 field (4.4.1.4).
inline constexpr std::uint64_t kAllOnes16 = 0xFFFF;
inline constexpr std::uint64_t kAllOnes32 = 0xFFFFFFFF;
inline constexpr std::uint64_t kZip64Field = 0x0001;  // 4.5.3

[[noreturn]] inline void fail(std::string reason, std::uint64_t offset) {
  throw schemagen::DataError(std::move(reason), {}, {static_cast<std::size_t>(offset)});
}

/// Returns the first offset at which the end record of a file of `size` bytes can begin: it can have a
/// comment.
inline std::uint64_t begin_of_end(std::uint64_t size) {
  return size - std::min<std::uint64_t>(size, kEndRecordSize + kMaxComment);
}

inline std::string_view part(const SparseBytes& bytes, std::uint64_t offset, std::uint64_t count) {
  return bytes.part(offset, count);
}

inline std::uint64_t number(const SparseBytes& bytes, std::uint64_t offset, unsigned width) {
  std::uint64_t value = 0;
  unsigned shift = 0;
  for (const char byte : part(bytes, offset, width)) {
    value |= std::uint64_t{static_cast<unsigned char>(byte)} << shift;
    shift += 8;
  }
  return value;
}

inline void append_number(std::string& out, std::uint64_t value, unsigned width) {
  for (unsigned i = 0; i < width; ++i) out += static_cast<char>(value >> (8 * i) & 0xFF);
}

inline std::uint16_t number16(const SparseBytes& bytes, std::uint64_t offset) {
  return static_cast<std::uint16_t>(number(bytes, offset, 2));
}

inline bool fits(std::uint64_t offset, std::uint64_t count, std::uint64_t end) {
  return offset <= end && count <= end - offset;
}

inline bool has_signature(const SparseBytes& bytes, std::uint64_t offset, std::string_view signature) {
  return fits(offset, signature.size(), bytes.size()) && part(bytes, offset, signature.size()) == signature;
}

}  // namespace pt2::zip
