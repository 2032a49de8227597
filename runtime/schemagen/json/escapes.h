// Escapes in JSON's strings. All functions may be called from several threads at once.
#pragma once

#include <cstddef>

namespace schemagen {

/// How many bytes past a string these functions read, and past what they write may write, as they work by
/// blocks.
inline constexpr std::size_t kEscapeBlock = 64;

/// Whether every backslash of the string between two quotes, whose bytes are from `begin` to `end`, begins an
/// escape of JSON, surrogates being paired.
bool has_good_escapes(const char* begin, const char* end);

/// Writes to `out` what the string stands for, which is never longer. Behind its last byte; null for a bad
/// escape.
char* unescape(const char* begin, const char* end, char* out);

}  // namespace schemagen
