// The bytes of a zip archive: numbers and parts at their offsets, and errors about them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "schemagen/value/error.h"

namespace pt2::zip {

/// Throws DataError about what is at `offset`.
[[noreturn]] inline void fail(std::string reason, std::uint64_t offset) {
  schemagen::Place place;
  place.offset = static_cast<std::size_t>(offset);
  throw schemagen::DataError(std::move(reason), {}, place);
}

/// The little-endian number of `width` bytes at `offset`, which is inside of `bytes`.
inline std::uint64_t number(std::string_view bytes, std::uint64_t offset, unsigned width) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < width; ++i) {
    value |= std::uint64_t{static_cast<unsigned char>(bytes[static_cast<std::size_t>(offset) + i])}
             << (8 * i);
  }
  return value;
}

inline std::uint16_t number16(std::string_view bytes, std::uint64_t offset) {
  return static_cast<std::uint16_t>(number(bytes, offset, 2));
}

/// `count` bytes from `offset`, which are inside of `bytes`.
inline std::string_view part(std::string_view bytes, std::uint64_t offset, std::uint64_t count) {
  return bytes.substr(static_cast<std::size_t>(offset), static_cast<std::size_t>(count));
}

/// Whether `count` bytes from `offset` end at or before `end`. No sum that could wrap around.
inline bool fits(std::uint64_t offset, std::uint64_t count, std::uint64_t end) {
  return offset <= end && count <= end - offset;
}

inline bool has_signature(std::string_view bytes, std::uint64_t offset, std::string_view signature) {
  return fits(offset, signature.size(), bytes.size()) && part(bytes, offset, signature.size()) == signature;
}

}  // namespace pt2::zip
