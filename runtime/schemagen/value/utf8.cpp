#include "schemagen/value/utf8.h"

#include <algorithm>
#include <charconv>
#include <cstring>

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

std::optional<std::size_t> find_lone_surrogate(std::string_view json) {
  // The 16 bits of an escape \uXXXX at `at`; 0 if there is none.
  const auto unit_at = [&](std::size_t at) -> unsigned {
    unsigned unit = 0;
    if (json.size() < 6 || at > json.size() - 6 || json[at] != '\\' || json[at + 1] != 'u') return 0;
    const auto [end, error] = std::from_chars(&json[at + 2], json.data() + at + 6, unit, 16);
    return error == std::errc() && end == json.data() + at + 6 ? unit : 0;
  };
  for (std::size_t at = json.find('\\'); at < json.size(); at = json.find('\\', at + 2)) {
    const unsigned unit = unit_at(at);
    if (unit < 0xd800 || unit > 0xdfff) continue;
    const unsigned second = unit < 0xdc00 ? unit_at(at + 6) : 0;
    if (second < 0xdc00 || second > 0xdfff) return at;
    at += 6;
  }
  return std::nullopt;
}

std::optional<std::size_t> find_control_character(std::string_view json) {
  const auto is_control = [](char c) {
    return (static_cast<unsigned char>(c) < 0x20) & (c != '\t') & (c != '\n') & (c != '\r');
  };
  // Without a branch, as above.
  int found = 0;
  for (const char c : json) found |= is_control(c);
  if (found == 0) return std::nullopt;
  return static_cast<std::size_t>(std::find_if(json.begin(), json.end(), is_control) - json.begin());
}

std::optional<std::size_t> find_bad_utf8(std::string_view text) {
  if (is_ascii(text)) return std::nullopt;
  for (std::size_t at = 0; at < text.size();) {
    if (!next_code_point(text, at)) return at;
  }
  return std::nullopt;
}

}  // namespace schemagen
