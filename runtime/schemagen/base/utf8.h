// Decodes, encodes and validates UTF-8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

namespace schemagen {

/// Returns the code point at `at` and moves `at` past it. If the bytes are not UTF-8 (truncated, overlong, a
/// surrogate, or beyond U+10FFFF), returns nullopt without moving. Requires `at < text.size()`.
std::optional<char32_t> next_code_point(std::string_view text, std::size_t& at);

inline constexpr std::size_t kLongestUtf8 = 4;

/// Writes a code point, which must be at most U+10FFFF, to `out`, which must have room for kLongestUtf8
/// bytes. Returns the end of what was written.
char* put_utf8(char32_t code_point, char* out);

/// Returns the offset of the first byte that is not valid UTF-8, or nullopt if the whole text is valid.
std::optional<std::size_t> find_bad_utf8(std::string_view text);

/// Returns whether every byte is below 0x80.
inline bool is_ascii(std::string_view text) {
  // The last words can overlap the ones before them: most strings are short, and a loop over the remaining
  // bytes would take most of the time.
  const auto word = [&](std::size_t i) {
    std::uint64_t bytes;
    std::memcpy(&bytes, text.data() + i, sizeof bytes);
    return bytes;
  };
  const auto half = [&](std::size_t i) {
    std::uint32_t bytes;
    std::memcpy(&bytes, text.data() + i, sizeof bytes);
    return std::uint64_t{bytes};
  };
  const auto byte = [&](std::size_t i) { return std::uint64_t{static_cast<unsigned char>(text[i])}; };
  const auto four_words = [&](std::size_t i) { return word(i) | word(i + 8) | word(i + 16) | word(i + 24); };

  const std::size_t size = text.size();
  std::uint64_t all = 0;
  if (size >= 32) {
    for (std::size_t i = 0; i + 32 < size; i += 32) all |= four_words(i);
    all |= four_words(size - 32);
  } else if (size >= 16) {
    all = word(0) | word(8) | word(size - 16) | word(size - 8);
  } else if (size >= 8) {
    all = word(0) | word(size - 8);
  } else if (size >= 4) {
    all = half(0) | half(size - 4);
  } else if (size != 0) {
    all = byte(0) | byte(size / 2) | byte(size - 1);
  }
  return (all & 0x8080808080808080u) == 0;
}

/// Like the function above, but may read up to `readable` bytes from the start of the text.
inline bool is_ascii(std::string_view text, std::size_t readable) {
  constexpr std::size_t kWindow = 32;
  if (text.size() > kWindow || readable < kWindow) return is_ascii(text);
  // All sizes take the same path, because a branch on the size would be mispredicted.
  static constexpr char kHighBits[2 * kWindow] =
      "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80"
      "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80";
  std::uint64_t words[kWindow / 8];
  std::uint64_t masks[kWindow / 8];
  std::memcpy(words, text.data(), kWindow);
  std::memcpy(masks, kHighBits + kWindow - text.size(), kWindow);
  return ((words[0] & masks[0]) | (words[1] & masks[1]) | (words[2] & masks[2]) | (words[3] & masks[3])) == 0;
}

}  // namespace schemagen
