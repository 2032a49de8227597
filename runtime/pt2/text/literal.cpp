#include "pt2/text/literal.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>

#include "schemagen/json/writer.h"
#include "schemagen/value/utf8.h"

namespace pt2 {
namespace {

/// Controls, and the marks that change the direction of the text around them.
bool steers_terminal(char32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x200b && c <= 0x200f) ||
         (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c == 0xfeff;
}

/// `\` and a letter, then so many hexadecimal digits.
void append_hex_escape(std::string& out, char letter, char32_t c, int digits) {
  constexpr char kDigits[] = "0123456789abcdef";
  out += '\\';
  out += letter;
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) out += kDigits[(c >> shift) & 0xf];
}

void append_escape(std::string& out, char32_t c) {
  switch (c) {
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      c < 0x100 ? append_hex_escape(out, 'x', c, 2) : append_hex_escape(out, 'u', c, 4);
  }
}

/// Appends `text`, printable; characters of `escaped` get a backslash.
void append_printable(std::string& out, std::string_view text, std::string_view escaped) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t start = at;
    const std::optional<char32_t> c = schemagen::next_code_point(text, at);
    if (!c) {
      append_hex_escape(out, 'x', static_cast<unsigned char>(text[at++]), 2);
    } else if (steers_terminal(*c)) {
      append_escape(out, *c);
    } else {
      if (at - start == 1 && escaped.find(text[start]) != escaped.npos) out += '\\';
      out += text.substr(start, at - start);
    }
  }
}

/// A part of a complex number: without the `.0` of whole numbers.
std::string part_of_complex(double value) {
  std::string text = float_literal(value);
  if (text.size() > 2 && text.compare(text.size() - 2, 2, ".0") == 0) text.resize(text.size() - 2);
  return text;
}

}  // namespace

std::string float_literal(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  schemagen::JsonWriter out;
  out.floating(value);
  return std::string(out.view());
}

std::string complex_literal(double real, double imag) {
  const std::string second = part_of_complex(imag);
  return "(" + part_of_complex(real) + (second[0] == '-' ? "" : "+") + second + "j)";
}

std::string printable(std::string_view text) {
  std::string out;
  append_printable(out, text, "");
  return out;
}

std::string string_literal(std::string_view text) {
  std::string out = "\"";
  append_printable(out, text, "\"\\");
  out += '"';
  return out;
}

std::size_t text_width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

}  // namespace pt2
