#include "text/quote.h"

#include <algorithm>
#include <cstddef>

#include "text/utf8.h"

namespace generator {
namespace {

/// Whether `character`, in UTF-8, is one of C0 (but for the tab), DEL, or one of C1.
bool is_control(std::string_view character) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(character[i]); };
  if (character.size() == 2) return at(0) == 0xc2 && at(1) < 0xa0;
  return character.size() == 1 && (at(0) < 0x20 || at(0) == 0x7f) && character != "\t";
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
    const std::string_view character = text.substr(at, utf8_length(text, at));
    const bool is_shown = !character.empty() && !is_control(character);
    const std::size_t length = std::max<std::size_t>(character.size(), 1);
    is_shown ? out.append(character) : out.append(length, '?');
    at += length;
  }
  return out;
}

}  // namespace generator
