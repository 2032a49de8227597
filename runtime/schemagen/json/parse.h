// Parses text to a tape. Of the two parsers, one is fast and the other reports errors.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "schemagen/base/limits.h"
#include "schemagen/json/document.h"

namespace schemagen {

/// Returns the maximum number of words in a tape of `text`: the words that fit in Limits::memory_bytes after
/// subtracting the size of the text. That size accounts for the parsed copy and, later, for strings.
inline std::size_t most_words(std::string_view text, const Limits& limits) {
  return (limits.memory_bytes - (std::min)(text.size(), limits.memory_bytes)) / sizeof(std::uint64_t);
}

/// Parses in one pass. Returns nullopt for invalid text, bare NaN and Infinity, integers beyond 64 bits, and
/// anything that could exceed the memory limit. `text` must be smaller than 4 GiB. The text is copied if
/// fewer than 64 bytes after it are readable.
std::optional<JsonTape> parse_plain(std::string_view text, const Limits& limits, std::size_t readable_after);

/// Throws DataError with path, line and column unless `text` is exactly one JSON value. Rejects numbers with
/// an exponent above 308, or with more than 308 digits before the point, as too large. Some of these are not
/// too large, such as 0e400; parse_plain() accepts them.
JsonTape parse_with_rapidjson(std::string_view text, const Limits& limits);

}  // namespace schemagen
