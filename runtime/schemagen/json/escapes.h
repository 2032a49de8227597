// Escapes in JSON's strings.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace schemagen {

/// How many bytes past a string these functions may read, as they work by blocks.
inline constexpr std::size_t kEscapeBlock = 64;

/// The closing quote of the string whose bytes begin at `begin`, in a text that ends at `end`; null for a
/// string that is not closed, has a control character or a bad escape, or is no UTF-8.
const char* end_of_string(const char* begin, const char* end);

struct ClosedString {
  const char* quote;
  std::string_view value;
};

/// The same with what the string stands for: in `scratch` if it has escapes.
std::optional<ClosedString> close_string(const char* begin, const char* end, std::string& scratch);

}  // namespace schemagen
