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
#include <string>
#include <system_error>

#include "schemagen/base/ascii.h"

// Converts floats with strtod and snprintf. In every locale, the results equal what std::from_chars and
// std::to_chars return.
namespace schemagen::portable {

/// A number halfway between two doubles has up to 767 digits. Of any later digits, it only matters whether
/// one of them is not 0.
constexpr std::size_t kDigitsThatDecide = 800;

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

template <class Float>
std::from_chars_result parse_float(const char* first, const char* last, Float& value) {
  using Limits = std::numeric_limits<Float>;
  const Float sign = first != last && *first == '-' ? Float(-1) : Float(1);
  const char* at = first + (sign < 0 ? 1 : 0);
  const auto same = [](char letter, char c) { return letter == (c | 0x20); };
  for (const std::string_view word : {"infinity", "inf", "nan"}) {
    if (static_cast<std::size_t>(last - at) < word.size() || !std::equal(word.begin(), word.end(), at, same))
      continue;
    value = std::copysign(word == "nan" ? Limits::quiet_NaN() : Limits::infinity(), sign);
    return {at + word.size(), std::errc()};
  }
  // strtod gets no decimal point, because some locales use another character for it.
  std::string text;
  std::int64_t exponent = 0;
  bool has_digits = false;
  bool after_point = false;
  bool has_more = false;
  for (; at != last && (is_digit(*at) || (*at == '.' && !after_point)); ++at) {
    if (*at == '.') {
      after_point = true;
      continue;
    }
    has_digits = true;
    const bool is_kept = text.size() < kDigitsThatDecide;
    if (is_kept && (!text.empty() || *at != '0')) text += *at;
    has_more = has_more || (!is_kept && *at != '0');
    exponent += (is_kept ? 0 : 1) - (after_point ? 1 : 0);
  }
  if (!has_digits) return {first, std::errc::invalid_argument};
  exponent += parse_exponent(at, last);
  Float magnitude = 0;
  if (!text.empty()) {
    constexpr std::int64_t kBeyondDoubles = 400;
    const std::int64_t power = exponent + static_cast<std::int64_t>(text.size());
    text += (has_more ? "1e" : "e") + std::to_string(exponent - (has_more ? 1 : 0));
    if (std::abs(power) < kBeyondDoubles) {
      magnitude = static_cast<Float>(sizeof(Float) == sizeof(float) ? std::strtof(text.c_str(), nullptr)
                                                                    : std::strtod(text.c_str(), nullptr));
    }
    if (magnitude == 0 || std::isinf(magnitude)) return {at, std::errc::result_out_of_range};
  }
  value = std::copysign(magnitude, sign);
  return {at, std::errc()};
}

inline char* put_rounded(char* at, char* last, double value, std::chars_format format, int precision) {
  const auto room = static_cast<std::size_t>(last - at);
  const char* const how = format == std::chars_format::fixed     ? "%.*f"
                          : format == std::chars_format::general ? "%.*g"
                                                                 : "%.*e";
  const int size = std::snprintf(at, room, how, precision, value);
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

/// Writes `digits` digits. Returns the end, or null if they do not read back as the same value.
template <class Float>
char* put_digits(char* at, Float value, int digits) {
  char* const end =
      put_rounded(at, at + 32, static_cast<double>(value), std::chars_format::scientific, digits - 1);
  char& last_digit = at[(*at == '-' ? 1 : 0) + (digits == 1 ? 0 : digits)];
  Float read = 0;
  parse_float(at, end, read);
  if (read == value) return end;
  // Just below a power of two, doubles are closer together than above it. The next decimal above the power
  // can therefore be farther away and still read back as the power. If the last digit is 9, that decimal has
  // fewer digits.
  if (last_digit == '9') return nullptr;
  ++last_digit;
  parse_float(at, end, read);
  return read == value ? end : nullptr;
}

template <class Float>
char* put_shortest(char* at, Float value) {
  int least = 1;
  int most = std::numeric_limits<Float>::max_digits10;
  while (least < most) {
    const int digits = (least + most) / 2;
    if (put_digits(at, value, digits) != nullptr) {
      most = digits;
    } else {
      least = digits + 1;
    }
  }
  return put_digits(at, value, most);
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
