#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace schemagen {

/// Bytes after a string that these functions may read, because they work in blocks.
inline constexpr std::size_t kEscapeBlock = 64;

/// Returns the closing quote of the string at `begin`; null if it is not closed by `end`, has a control
/// character or a bad escape, or is not UTF-8.
const char* end_of_string(const char* begin, const char* end);

struct ClosedString {
  const char* quote;
  std::string_view value;
};

/// Also returns the string's value, which is in `scratch` if it has escapes.
std::optional<ClosedString> close_string(const char* begin, const char* end, std::string& scratch);

}  // namespace schemagen
