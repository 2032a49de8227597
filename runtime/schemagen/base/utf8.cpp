#include "schemagen/base/utf8.h"

namespace schemagen {
namespace {

inline std::size_t skip_ascii(std::string_view text, std::size_t at) {
  const std::size_t size = text.size();
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  constexpr std::size_t kWord = 8;
  const auto high_bits = [&](std::size_t i) {
    std::uint64_t bytes;
    std::memcpy(&bytes, text.data() + i, sizeof bytes);
    return bytes & 0x8080808080808080u;
  };
  const auto first = [](std::uint64_t found) { return static_cast<std::size_t>(__builtin_ctzll(found)) / 8; };
  for (; size - at >= kWord; at += kWord) {
    if (const std::uint64_t found = high_bits(at)) return at + first(found);
  }
  if (size >= kWord && at != size) {
    const std::uint64_t found = high_bits(size - kWord) >> (8 * (kWord - (size - at)));
    return found == 0 ? size : at + first(found);
  }
#endif
  while (at != size && static_cast<unsigned char>(text[at]) < 0x80) ++at;
  return at;
}

/// next_code_point(), inlined.
[[gnu::always_inline]] inline std::optional<char32_t> decoded(std::string_view text, std::size_t& at) {
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

}  // namespace

std::optional<char32_t> next_code_point(std::string_view text, std::size_t& at) {
  return decoded(text, at);
}

char* put_utf8(char32_t code_point, char* out) {
  const auto put = [&](char32_t byte) { *out++ = static_cast<char>(static_cast<unsigned char>(byte)); };
  const auto put_tail = [&](unsigned shift) { put(0x80 | ((code_point >> shift) & 0x3f)); };
  if (code_point < 0x80) {
    put(code_point);
  } else if (code_point < 0x800) {
    put(0xc0 | (code_point >> 6));
    put_tail(0);
  } else if (code_point < 0x10000) {
    put(0xe0 | (code_point >> 12));
    put_tail(6);
    put_tail(0);
  } else {
    put(0xf0 | (code_point >> 18));
    put_tail(12);
    put_tail(6);
    put_tail(0);
  }
  return out;
}

std::optional<std::size_t> find_bad_utf8(std::string_view text) {
  std::size_t at = skip_ascii(text, 0);
  while (at != text.size()) {
    if (!decoded(text, at)) return at;
    at = skip_ascii(text, at);
  }
  return std::nullopt;
}

}  // namespace schemagen
