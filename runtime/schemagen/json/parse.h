// From text to tape: one parser that reads, and one that says what is wrong.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "schemagen/base/limits.h"
#include "schemagen/json/document.h"

namespace schemagen {

/// How many words a tape of `text` may have: as many as Limits::memory_bytes hold beside the text's own size,
/// which stands for the copy that is parsed, and then for the strings that are made of it.
inline std::size_t most_words(std::string_view text, const Limits& limits) {
  return (limits.memory_bytes - std::min(text.size(), limits.memory_bytes)) / sizeof(std::uint64_t);
}

/// Parses what is good and common in one pass; nullopt for all else: faults, bare NaN and Infinity, whole
/// numbers beyond 64 bits, and what could need more memory than is allowed. `text`: below 4 GiB.
/// `readable_after`: how many bytes past the text may be read; with fewer than 64 the text is copied first.
std::optional<JsonTape> parse_plain(std::string_view text, const Limits& limits, std::size_t readable_after);

/// Parses by RapidJSON. Errors: DataError with path, line and column for anything that is not one JSON value.
/// Numbers with an exponent above 308, or more than 308 digits before the point, are refused as too large
/// even where they are not, as 0e400 and 1000...e-400: parse_plain() takes these.
JsonTape parse_with_rapidjson(std::string_view text, const Limits& limits);

}  // namespace schemagen
