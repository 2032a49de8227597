// E.g. "0a ff 00".
#pragma once

#include <string>
#include <string_view>

/// Ignores spaces.
inline std::string from_hex(std::string_view text) {
  const auto digit = [](char c) { return static_cast<unsigned>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10); };
  std::string bytes;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] == ' ') continue;
    bytes += static_cast<char>(static_cast<unsigned char>(digit(text[i]) * 16 + digit(text[i + 1])));
    ++i;
  }
  return bytes;
}

inline std::string to_hex(std::string_view bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (!text.empty()) text += ' ';
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}
