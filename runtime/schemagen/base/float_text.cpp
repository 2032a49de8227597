#include "schemagen/base/float_text.h"

#include <cstring>

#include "schemagen/base/float_chars.h"

namespace schemagen {

template <class Float>
char* put_float(char* at, Float value) {
  char scientific[kLongestFloat];
  std::string_view text(scientific, static_cast<std::size_t>(put_shortest(scientific, value) - scientific));
  if (text.front() == '-') {
    *at++ = '-';
    text.remove_prefix(1);
  }
  const std::size_t e = text.find('e');
  int exponent = 0;
  const bool negative = text[e + 1] == '-';
  std::from_chars(text.data() + e + 2, text.data() + text.size(), exponent);
  if (negative) exponent = -exponent;
  if (exponent < -4 || exponent > 15) {  // put_shortest writes a sign and at least two digits
    std::memcpy(at, text.data(), text.size());
    return at + text.size();
  }
  char digits[24];
  std::size_t count = 0;
  for (const char c : text.substr(0, e)) {
    if (c != '.') digits[count++] = c;
  }
  const auto digit = [&](std::size_t i) { return i < count ? digits[i] : '0'; };
  if (exponent < 0) {
    *at++ = '0';
    *at++ = '.';
    for (int i = exponent + 1; i < 0; ++i) *at++ = '0';
    std::memcpy(at, digits, count);
    return at + count;
  }
  const std::size_t whole = static_cast<std::size_t>(exponent) + 1;
  for (std::size_t i = 0; i < whole; ++i) *at++ = digit(i);
  *at++ = '.';
  for (std::size_t i = whole; i < std::max(count, whole + 1); ++i) *at++ = digit(i);
  return at;
}

template char* put_float(char* at, double value);
template char* put_float(char* at, float value);

template <class Float>
std::string float_text(Float value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  char text[kLongestFloat];
  return std::string(text, put_float(text, value));
}
template std::string float_text(double value);
template std::string float_text(float value);

std::optional<float> nearest_float(std::string_view text, double rounded) {
  // Not always the float nearest to `rounded`: halfway between two floats, the digits that were rounded off
  // decide.
  float nearest = 0;
  if (parse_float(text.data(), text.data() + text.size(), nearest).ec == std::errc()) return nearest;
  if (std::fabs(rounded) > 1) return std::nullopt;
  return std::copysign(0.0F, static_cast<float>(rounded));
}

std::optional<double> nonfinite_named(std::string_view text) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (text == "Infinity") return kInfinity;
  if (text == "-Infinity") return -kInfinity;
  return std::nullopt;
}

}  // namespace schemagen
