// Classifies and converts ASCII characters, independently of the locale.
#pragma once

#include <string_view>

namespace schemagen {

constexpr bool is_upper(char c) noexcept {
  return c >= 'A' && c <= 'Z';
}
constexpr char lower(char c) noexcept {
  return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
}
constexpr bool is_letter(char c) noexcept {
  return (c >= 'a' && c <= 'z') || is_upper(c);
}
constexpr bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}

/// Returns whether the character is white space in JSON.
constexpr bool is_blank(char c) noexcept {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/// Returns whether an identifier can start with the character.
constexpr bool is_name_start(char c) noexcept {
  return is_letter(c) || c == '_';
}
/// Returns whether an identifier can contain the character.
constexpr bool is_name_char(char c) noexcept {
  return is_name_start(c) || is_digit(c);
}

/// Returns whether `text` matches `[A-Za-z_][A-Za-z0-9_]*`.
constexpr bool is_identifier(std::string_view text) noexcept {
  for (const char c : text) {
    if (!is_name_char(c)) return false;
  }
  return !text.empty() && is_name_start(text.front());
}

}  // namespace schemagen
