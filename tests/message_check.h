// Messages about user data are safe for a terminal, and do not copy the data.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

enum class Lines { one, many };

/// Tabs are allowed in several lines, for source excerpts.
inline bool has_control_characters(std::string_view text, Lines lines) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const bool is_layout = lines == Lines::many && (c == '\n' || c == '\t');
    if ((c < 0x20 && !is_layout) || c == 0x7F) return true;
    if (c == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0) return true;
  }
  return false;
}

inline std::string message_fault(std::string_view message, Lines lines = Lines::one) {
  // A path of 240 bytes and two names of 100, each byte escaped by four characters.
  constexpr std::size_t kMaxMessage = 1500;
  if (has_control_characters(message, lines)) return "control characters in: " + std::string(message);
  if (message.size() > kMaxMessage) return "too long: " + std::string(message);
  return {};
}
