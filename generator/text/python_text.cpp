#include "text/python_text.h"

#include <array>
#include <cassert>
#include <charconv>
#include <cmath>
#include <cstddef>

namespace generator {
namespace {

/// `value` in plain digits, with at least one behind the point.
std::string fixed_text(double value) {
  std::array<char, 400> buffer{};  // the longest is about 330 characters
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed).ptr;
  std::string text(buffer.data(), end);
  return text.find('.') == std::string::npos ? text + ".0" : text;
}

/// `\xNN`, as Python escapes control characters.
std::string hex_escape(char c) {
  constexpr std::string_view kHex = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  return std::string("\\x") + kHex[byte >> 4U] + kHex[byte & 15U];
}

}  // namespace

std::string python_repr(double value) {
  assert(std::isfinite(value));
  std::array<char, 32> buffer{};
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific).ptr;
  const std::string text(buffer.data(), end);
  const std::size_t mark = text.find('e');
  const int exponent = std::stoi(text.substr(mark + 1));
  constexpr int kFirstWithExponent = 16;
  return exponent >= -4 && exponent < kFirstWithExponent ? fixed_text(value) : text;
}

std::string python_repr(std::string_view text) {
  const bool has_single = text.find('\'') != std::string_view::npos;
  const char quote = has_single && text.find('"') == std::string_view::npos ? '"' : '\'';
  std::string out(1, quote);
  for (const char c : text) {
    if (c == quote || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\r') {
      out += "\\r";
    } else if (c == '\t') {
      out += "\\t";
    } else if ((c >= 0 && c < ' ') || c == '\x7f') {
      out += hex_escape(c);
    } else {
      out += c;
    }
  }
  return out + quote;
}

}  // namespace generator
