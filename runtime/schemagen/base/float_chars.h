// Uses std::from_chars and std::to_chars if the standard library supports them for floats (libc++ does from
// 20 on). Otherwise, uses functions that call the C library and give the same results.
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>

#include "schemagen/base/ascii.h"

// Converts floats with strtod and snprintf. In every locale, the results equal what std::from_chars and
// std::to_chars return.
namespace schemagen::portable {

/// Represents `digits` times ten to the power `exponent`. strtod gets text without a decimal point, because
/// some locales use another character for it.
template <std::size_t N>
struct Decimal {
  static constexpr std::size_t kRoomForExponent = 32;

  char digits[N + kRoomForExponent];
  std::size_t count = 0;
  std::int64_t exponent = 0;

  template <class Float>
  Float nearest() {
    char* const end = digits + count;
    *end = 'e';
    *std::to_chars(end + 1, end + kRoomForExponent, exponent).ptr = '\0';
    if constexpr (sizeof(Float) == sizeof(float)) {
      return std::strtof(digits, nullptr);
    } else {
      return std::strtod(digits, nullptr);
    }
  }
};

/// A number halfway between two doubles has up to 767 digits. Of any later digits, it only matters whether
/// one of them is not 0.
constexpr std::size_t kDigitsThatDecide = 800;

using LongDecimal = Decimal<kDigitsThatDecide + 1>;

inline bool parse_digits(const char*& at, const char* last, LongDecimal& number) {
  bool has_digits = false;
  bool after_point = false;
  bool has_more = false;
  for (; at != last && (is_digit(*at) || (*at == '.' && !after_point)); ++at) {
    if (*at == '.') {
      after_point = true;
      continue;
    }
    has_digits = true;
    const bool is_kept = number.count < kDigitsThatDecide;
    if (is_kept && (number.count > 0 || *at != '0')) number.digits[number.count++] = *at;
    if (!is_kept && *at != '0') has_more = true;
    number.exponent += (is_kept ? 0 : 1) - (after_point ? 1 : 0);
  }
  if (has_more) {
    number.digits[number.count++] = '1';
    --number.exponent;
  }
  return has_digits;
}

/// Reads an exponent and moves `at` past it. Returns 0 without moving if there is none.
inline std::int64_t parse_exponent(const char*& at, const char* last) {
  if (at == last || (*at != 'e' && *at != 'E')) return 0;
  const char* digit = at + 1;
  const bool is_negative = digit != last && *digit == '-';
  if (digit != last && (*digit == '-' || *digit == '+')) ++digit;
  if (digit == last || !is_digit(*digit)) return 0;
  constexpr std::int64_t kEnough = 1'000'000'000'000;
  std::int64_t exponent = 0;
  for (; digit != last && is_digit(*digit); ++digit) {
    if (exponent < kEnough) exponent = exponent * 10 + (*digit - '0');
  }
  at = digit;
  return is_negative ? -exponent : exponent;
}

inline bool starts_with_word(const char* at, const char* last, std::string_view word) {
  return static_cast<std::size_t>(last - at) >= word.size() &&
         std::equal(word.begin(), word.end(), at, [](char letter, char c) { return letter == (c | 0x20); });
}

template <class Float>
std::optional<Float> parse_nonfinite(const char*& at, const char* last) {
  using Limits = std::numeric_limits<Float>;
  for (const std::string_view word : {"infinity", "inf", "nan"}) {
    if (!starts_with_word(at, last, word)) continue;
    at += word.size();
    return word == "nan" ? Limits::quiet_NaN() : Limits::infinity();
  }
  return std::nullopt;
}

template <class Float>
std::from_chars_result parse_float(const char* first, const char* last, Float& value) {
  const char* at = first;
  const Float sign = at != last && *at == '-' ? Float(-1) : Float(1);
  if (sign < 0) ++at;
  if (const std::optional<Float> special = parse_nonfinite<Float>(at, last)) {
    value = std::copysign(*special, sign);
    return {at, std::errc()};
  }
  LongDecimal number;
  if (!parse_digits(at, last, number)) return {first, std::errc::invalid_argument};
  number.exponent += parse_exponent(at, last);
  Float magnitude = 0;
  if (number.count > 0) {
    constexpr std::int64_t kBeyondDoubles = 400;
    if (std::abs(number.exponent + static_cast<std::int64_t>(number.count)) < kBeyondDoubles)
      magnitude = number.nearest<Float>();
    if (magnitude == 0 || std::isinf(magnitude)) return {at, std::errc::result_out_of_range};
  }
  value = std::copysign(magnitude, sign);
  return {at, std::errc()};
}

template <class Float>
using ShortDecimal = Decimal<std::numeric_limits<Float>::max_digits10>;

template <class Float>
ShortDecimal<Float> rounded(Float value, std::size_t count) {
  char text[48];
  const int size =
      std::snprintf(text, sizeof text, "%.*e", static_cast<int>(count) - 1, static_cast<double>(value));
  ShortDecimal<Float> decimal;
  const char* at = text;
  for (; *at != 'e'; ++at) {
    if (is_digit(*at)) decimal.digits[decimal.count++] = *at;
  }
  decimal.exponent = parse_exponent(at, text + size) - static_cast<std::int64_t>(count - 1);
  return decimal;
}

template <class Float>
std::optional<ShortDecimal<Float>> of_digits(Float value, std::size_t count) {
  ShortDecimal<Float> decimal = rounded(value, count);
  if (decimal.template nearest<Float>() == value) return decimal;
  // Just below a power of two, doubles are closer together than above it. The next decimal above the power
  // can therefore be farther away and still read back as the power. If the last digit is 9, that decimal has
  // fewer digits.
  char& digit = decimal.digits[count - 1];
  if (digit == '9') return std::nullopt;
  ++digit;
  return decimal.template nearest<Float>() == value ? std::optional(decimal) : std::nullopt;
}

template <class Float>
ShortDecimal<Float> shortest(Float value) {
  std::size_t least = 1;
  std::size_t most = std::numeric_limits<Float>::max_digits10;
  ShortDecimal<Float> found = rounded(value, most);
  while (least < most) {
    const std::size_t count = (least + most) / 2;
    if (const std::optional<ShortDecimal<Float>> decimal = of_digits(value, count)) {
      found = *decimal;
      most = count;
    } else {
      least = count + 1;
    }
  }
  return found;
}

template <class Float>
char* put_shortest(char* at, Float value) {
  if (std::signbit(value)) *at++ = '-';
  const ShortDecimal<Float> decimal = shortest(std::fabs(value));
  *at++ = decimal.digits[0];
  if (decimal.count > 1) {
    *at++ = '.';
    at = std::copy(decimal.digits + 1, decimal.digits + decimal.count, at);
  }
  const std::int64_t exponent = decimal.exponent + static_cast<std::int64_t>(decimal.count - 1);
  *at++ = 'e';
  *at++ = exponent < 0 ? '-' : '+';
  const std::int64_t power = std::abs(exponent);
  if (power < 10) *at++ = '0';
  return std::to_chars(at, at + ShortDecimal<Float>::kRoomForExponent, power).ptr;
}

inline char* put_rounded(char* at, char* last, double value, std::chars_format format, int precision) {
  const auto room = static_cast<std::size_t>(last - at);
  const int size =
      std::snprintf(at, room, format == std::chars_format::fixed ? "%.*f" : "%.*g", precision, value);
  const char* const end = at + size;
  for (const char* from = at; from != end; ++from) {
    if (is_letter(*from) || is_digit(*from) || *from == '-' || *from == '+') {
      *at++ = *from;
    } else if (at[-1] != '.') {  // the locale's decimal point can have several bytes
      *at++ = '.';
    }
  }
  return at;
}

}  // namespace schemagen::portable

namespace schemagen {

constexpr bool kStandardReadsFloats =
#if defined(_LIBCPP_AVAILABILITY_HAS_FROM_CHARS_FLOATING_POINT)
    // libc++ leaves the other macro undefined, because it lacks long double. Older systems lack the
    // functions.
    _LIBCPP_AVAILABILITY_HAS_FROM_CHARS_FLOATING_POINT;
#elif defined(__cpp_lib_to_chars)
    __cpp_lib_to_chars >= 201611L;
#else
    false;
#endif

/// Parses a float. If the standard library lacks std::from_chars, text in parentheses after NaN is not
/// consumed.
template <class Float>
std::from_chars_result parse_float(const char* first, const char* last, Float& value) {
  if constexpr (kStandardReadsFloats) {
    return std::from_chars(first, last, value);
  } else {
    return portable::parse_float(first, last, value);
  }
}

/// Writes a finite value with the shortest digits that read back as the same value, and with an exponent,
/// e.g. `1.5e+00`. `at` must have room for 32 bytes. Returns the end.
template <class Float>
char* put_shortest(char* at, Float value) {
  if constexpr (kStandardReadsFloats) {
    return std::to_chars(at, at + 32, value, std::chars_format::scientific).ptr;
  } else {
    return portable::put_shortest(at, value);
  }
}

template <class Double>
char* put_rounded(char* at, char* last, Double value, std::chars_format format, int precision) {
  if constexpr (kStandardReadsFloats) {
    return std::to_chars(at, last, value, format, precision).ptr;
  } else {
    return portable::put_rounded(at, last, value, format, precision);
  }
}

}  // namespace schemagen
