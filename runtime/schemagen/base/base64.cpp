#include "schemagen/base/base64.h"

namespace schemagen {
namespace {

constexpr char kAlphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::uint8_t kNone = 0x80;

struct Base64Values {
  std::uint8_t values[256] = {};
  constexpr Base64Values() {
    for (std::uint8_t& value : values) value = kNone;
    for (std::uint8_t i = 0; i < 64; ++i) values[static_cast<unsigned char>(kAlphabet[i])] = i;
  }
};
constexpr Base64Values kBase64Values;

}  // namespace

std::string to_base64(const Bytes& bytes) {
  std::string text((bytes.size() + 2) / 3 * 4, '=');
  char* out = text.data();
  const auto put = [&out](std::uint32_t group, unsigned count) {
    for (unsigned k = 0; k < count; ++k) out[k] = kAlphabet[(group >> (18 - 6 * k)) & 63];
    out += 4;
  };
  std::size_t i = 0;
  for (; bytes.size() - i >= 3; i += 3) {
    put((std::uint32_t{bytes[i]} << 16) | (std::uint32_t{bytes[i + 1]} << 8) | bytes[i + 2], 4);
  }
  if (bytes.size() - i == 1) put(std::uint32_t{bytes[i]} << 16, 2);
  if (bytes.size() - i == 2) put((std::uint32_t{bytes[i]} << 16) | (std::uint32_t{bytes[i + 1]} << 8), 3);
  return text;
}

std::optional<Bytes> from_base64(std::string_view text) {
  std::size_t padding = 0;
  while (padding < 2 && !text.empty() && text.back() == '=') {
    text.remove_suffix(1);
    ++padding;
  }
  if (text.size() % 4 == 1 || (padding != 0 && (text.size() + padding) % 4 != 0)) return std::nullopt;
  Bytes bytes(text.size() / 4 * 3 + text.size() % 4 * 3 / 4);
  std::uint8_t* out = bytes.data();
  unsigned all = 0;
  const auto value = [&](std::size_t i) {
    const std::uint32_t one = kBase64Values.values[static_cast<unsigned char>(text[i])];
    all |= one;
    return one;
  };
  std::size_t i = 0;
  for (; text.size() - i >= 4; i += 4, out += 3) {
    const std::uint32_t group = (value(i) << 18) | (value(i + 1) << 12) | (value(i + 2) << 6) | value(i + 3);
    out[0] = static_cast<std::uint8_t>(group >> 16);
    out[1] = static_cast<std::uint8_t>(group >> 8);
    out[2] = static_cast<std::uint8_t>(group);
  }
  std::uint32_t rest = 0;  // 24 bits; the unused ones must be zero
  for (unsigned shift = 18; i < text.size(); ++i, shift -= 6) rest |= value(i) << shift;
  for (; out != bytes.data() + bytes.size(); ++out, rest = (rest << 8) & 0xffffffu) {
    *out = static_cast<std::uint8_t>(rest >> 16);
  }
  if ((all & kNone) != 0 || rest != 0) return std::nullopt;
  return bytes;
}

std::string hex_text(std::string_view bytes, std::string_view between) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (!text.empty()) text += between;
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

}  // namespace schemagen
