#include "schemagen/base/quote.h"

#include "schemagen/base/utf8.h"

namespace schemagen {
namespace {

bool steers_terminal(char32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x61c || (c >= 0x200b && c <= 0x200f) ||
         (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c == 0xfeff ||
         (c >= 0xe0000 && c <= 0xe0fff);
}

void append_hex_escape(std::string& out, char letter, char32_t c, int digits) {
  constexpr char kDigits[] = "0123456789abcdef";
  out += '\\';
  out += letter;
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) out += kDigits[(c >> shift) & 0xf];
}

void append_escape(std::string& out, char32_t c) {
  const std::size_t letter = std::u32string_view(U"\n\r\t").find(c);
  if (letter != std::u32string_view::npos) {
    out += {'\\', "nrt"[letter]};
  } else {
    c < 0x100     ? append_hex_escape(out, 'x', c, 2)
    : c < 0x10000 ? append_hex_escape(out, 'u', c, 4)
                  : append_hex_escape(out, 'U', c, 8);
  }
}

std::size_t cut(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text.size();
  // A character has at most three continuation bytes.
  for (std::size_t size = most; size > 0 && size + 3 >= most; --size) {
    if ((text[size] & 0xc0) != 0x80) return size;
  }
  return most;
}

std::size_t plain_start(std::string_view text, std::string_view escaped) {
  std::size_t size = 0;
  while (size < text.size() && text[size] >= ' ' && text[size] < '\x7f' &&
         (escaped.empty() || escaped.find(text[size]) == escaped.npos)) {
    ++size;
  }
  return size;
}

}  // namespace

std::string printable(std::string_view text, std::string_view escaped) {
  if (plain_start(text, escaped) == text.size()) return std::string(text);
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t plain = plain_start(text.substr(at), escaped);
    out += text.substr(at, plain);
    at += plain;
    if (at == text.size()) break;
    const std::size_t start = at;
    const std::optional<char32_t> c = next_code_point(text, at);
    if (!c) {
      append_hex_escape(out, 'x', static_cast<unsigned char>(text[at++]), 2);
    } else if (steers_terminal(*c)) {
      append_escape(out, *c);
    } else {
      if (at - start == 1 && escaped.find(text[start]) != escaped.npos) out += '\\';
      out += text.substr(start, at - start);
    }
  }
  return out;
}

std::string printable_start(std::string_view text, std::string_view escaped, std::size_t most) {
  const std::size_t size = cut(text, most);
  return printable(text.substr(0, size), escaped) + (size < text.size() ? "..." : "");
}

std::string quoted(std::string_view text) {
  return "'" + printable_start(text, "'\\") + "'";
}

std::string quoted_list(const std::vector<std::string_view>& names) {
  constexpr std::size_t kMost = 5;
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < kMost; ++i) text += (i == 0 ? "" : ", ") + quoted(names[i]);
  return names.size() > kMost ? text + " and " + std::to_string(names.size() - kMost) + " more" : text;
}

std::string shortened(std::string text) {
  constexpr std::size_t kLongest = 240;
  constexpr std::size_t kHalf = 110;
  if (text.size() <= kLongest) return text;
  const std::size_t head = cut(text, kHalf);
  return text.replace(head, cut(text, text.size() - kHalf) - head, "...");
}

}  // namespace schemagen
