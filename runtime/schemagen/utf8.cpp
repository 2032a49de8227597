#include "schemagen/utf8.h"

namespace schemagen {

std::optional<char32_t> next_code_point(std::string_view text, std::size_t& at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(at);
  if (lead < 0x80) {
    ++at;
    return static_cast<char32_t>(lead);
  }
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() - at < length) return std::nullopt;
  char32_t code = lead & (0x7fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xc0u) != 0x80u) return std::nullopt;
    code = (code << 6) | (byte(at + i) & 0x3fu);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  if (overlong || surrogate || code > 0x10ffff) return std::nullopt;
  at += length;
  return code;
}

bool may_hold_lone_surrogates(std::string_view json) {
  if (json.size() < 3) return false;
  // Without a branch, so that the compiler can test many bytes at a time: escapes of other kinds are too
  // frequent for a search from one to the next.
  unsigned char found = 0;
  const char* const at = json.data();
  for (std::size_t i = 0; i < json.size() - 2; ++i) {
    found |= static_cast<unsigned char>((at[i] == '\\') & (at[i + 1] == 'u') & ((at[i + 2] | 0x20) == 'd'));
  }
  return found != 0;
}

std::optional<std::size_t> find_bad_utf8(std::string_view text) {
  if (is_ascii(text)) return std::nullopt;
  for (std::size_t at = 0; at < text.size();) {
    if (!next_code_point(text, at)) return at;
  }
  return std::nullopt;
}

}  // namespace schemagen
