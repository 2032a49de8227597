#include "text/quote.h"

#include <cstddef>

#include "text/utf8.h"

namespace generator {
namespace {

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == '\x7f';
}

constexpr std::size_t kMaxQuoted = 60;
constexpr std::size_t kMaxShown = 500;

/// At most `length` bytes of `text`, and `...` if there are more; not cut within a character.
std::string cut(std::string text, std::size_t length) {
  if (text.size() <= length) return text;
  while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xc0) == 0x80) --length;
  return text.substr(0, length) + "...";
}

}  // namespace

std::string quote(std::string_view text) {
  return "'" + cut(printable(text), kMaxQuoted) + "'";
}

std::string shown(std::string_view text) {
  return cut(printable(text), kMaxShown);
}

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    if (length == 0 || (is_control(text[at]) && text[at] != '\t')) {
      out += '?';
      ++at;
    } else {
      out += text.substr(at, length);
      at += length;
    }
  }
  return out;
}

}  // namespace generator
