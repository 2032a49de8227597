#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace schemagen {

/// Number of bytes after a string that these functions can read, because they work in blocks.
inline constexpr std::size_t kEscapeBlock = 64;

/// Returns the closing quote of the string whose contents start at `begin`. Returns null if the string is not
/// closed before `end`, has a control character or an invalid escape, or is not UTF-8.
const char* end_of_string(const char* begin, const char* end);

struct ClosedString {
  const char* quote;
  std::string_view value;
};

/// Does the same, and also returns the string's value, which is in `scratch` if the string has escapes.
std::optional<ClosedString> close_string(const char* begin, const char* end, std::string& scratch);

}  // namespace schemagen
