// Parses text to a tape: one parser is fast, the other reports errors.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "schemagen/base/limits.h"
#include "schemagen/json/document.h"

namespace schemagen {

/// Words that a tape of `text` may have: what Limits::memory_bytes leaves after the size of the text, which
/// accounts for the parsed copy and later for strings.
inline std::size_t most_words(std::string_view text, const Limits& limits) {
  return (limits.memory_bytes - (std::min)(text.size(), limits.memory_bytes)) / sizeof(std::uint64_t);
}

/// Parses in one pass. Returns nullopt for faults, bare NaN and Infinity, integers beyond 64 bits, and
/// anything that could exceed the memory limit. `text` must be below 4 GiB. If fewer than 64 bytes after it
/// are readable, it is copied.
std::optional<JsonTape> parse_plain(std::string_view text, const Limits& limits, std::size_t readable_after);

/// Throws DataError with path, line and column unless the text is one JSON value. Rejects numbers with an
/// exponent above 308, or with over 308 digits before the point, as too large even if they are not, such as
/// 0e400; parse_plain() accepts these.
JsonTape parse_with_rapidjson(std::string_view text, const Limits& limits);

}  // namespace schemagen
