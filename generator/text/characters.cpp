#include "text/characters.h"

#include "schemagen/base/utf8.h"

namespace generator {
namespace {

bool is_control(char32_t c) {
  const bool is_c0 = c < 0x20 && c != U'\t' && c != U'\n';
  const bool is_c1 = c >= 0x7f && c < 0xa0;  // with DEL
  return is_c0 || is_c1 || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

}  // namespace

std::optional<Control> find_control(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const std::optional<char32_t> c = schemagen::next_code_point(text, at);
    if (!c) ++at;
    if (c && is_control(*c)) return Control{begin, "U+" + hex(*c, 4, kUpperHex)};
  }
  return std::nullopt;
}

std::string replaced(std::string_view text, std::string_view special,
                     std::initializer_list<std::string_view> replacements) {
  std::string out;
  for (const char c : text) {
    const std::size_t found = special.find(c);
    found == special.npos ? out += c : out += replacements.begin()[found];
  }
  return out;
}

}  // namespace generator
