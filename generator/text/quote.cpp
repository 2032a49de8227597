#include "text/quote.h"

#include <cstddef>

#include "text/utf8.h"

namespace generator {
namespace {

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == '\x7f';
}

}  // namespace

std::string quote(std::string_view text) {
  constexpr std::size_t kMaxQuoted = 60;
  if (text.size() <= kMaxQuoted) return "'" + std::string(text) + "'";
  std::size_t end = kMaxQuoted;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return "'" + std::string(text.substr(0, end)) + "...'";
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
