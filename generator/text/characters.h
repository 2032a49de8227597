#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>

#include "schemagen/base/ascii.h"

namespace generator {

using schemagen::is_digit;
using schemagen::is_identifier;
using schemagen::is_name_char;
using schemagen::is_name_start;
using schemagen::is_upper;

inline bool is_continuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xc0U) == 0x80U;
}

/// An estimate of the columns on a screen.
inline std::size_t code_points(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char byte) { return !is_continuation(byte); }));
}

inline constexpr std::string_view kLowerHex = "0123456789abcdef";
inline constexpr std::string_view kUpperHex = "0123456789ABCDEF";

/// Returns the last `count` hexadecimal digits of the value.
inline std::string hex(std::uint64_t value, std::size_t count, std::string_view digits = kLowerHex) {
  std::string out;
  for (std::size_t i = count; i > 0; --i) out += digits[(value >> (4 * (i - 1))) & 15U];
  return out;
}

// These convert only ASCII letters.
inline std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return out;
}
inline std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = schemagen::lower(c);
  return out;
}

/// A character that changes how the text around it is displayed, or that only some readers treat as a line
/// end.
struct Control {
  std::size_t offset = 0;
  std::string name;
};

/// Finds C0 (except tab and newline), DEL, C1, the separators U+2028 and U+2029, and the direction marks
/// U+202A to U+202E and U+2066 to U+2069. Without one, no line of `text` can end a line comment.
std::optional<Control> find_control(std::string_view text);

/// Returns the text with a replacement for each of the special characters.
std::string replaced(std::string_view text, std::string_view special,
                     std::initializer_list<std::string_view> replacements);

/// Returns the name with as many underscores, at least one, as it takes until it is free.
template <typename IsTaken>
std::string with_underscores(std::string name, const IsTaken& is_taken) {
  do {
    name += '_';
  } while (is_taken(name));
  return name;
}

using Words = std::unordered_set<std::string_view>;

/// Returns the words of the texts, which must outlive them. Spaces and line breaks separate words.
inline Words words_of(std::initializer_list<std::string_view> texts) {
  Words words;
  for (const std::string_view text : texts) {
    for (std::size_t at = text.find_first_not_of(" \n"); at != text.npos;
         at = text.find_first_not_of(" \n", at)) {
      const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
      words.insert(text.substr(at, end - at));
      at = end;
    }
  }
  return words;
}

}  // namespace generator
