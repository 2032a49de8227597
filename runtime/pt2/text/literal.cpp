#include "pt2/text/literal.h"

#include <algorithm>

#include "schemagen/base/float_text.h"

namespace pt2 {
namespace {

std::string part_of_complex(double value) {
  std::string text = float_literal(value);
  if (text.size() > 2 && text.compare(text.size() - 2, 2, ".0") == 0) text.resize(text.size() - 2);
  return text;
}

}  // namespace

std::string float_literal(double value) {
  return schemagen::float_text(value);
}

std::string complex_literal(double real, double imag) {
  const std::string second = part_of_complex(imag);
  return "(" + part_of_complex(real) + (second[0] == '-' ? "" : "+") + second + "j)";
}

std::string string_literal(std::string_view text) {
  return "\"" + printable(text, "\"\\") + "\"";
}

std::size_t text_width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

}  // namespace pt2
