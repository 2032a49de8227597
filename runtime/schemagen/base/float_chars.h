// Floats from text and to text: std::from_chars and std::to_chars where the standard library has them for
// floats, the same results by the C library where it lacks them, as libc++ does before 20.
#pragma once

#include <charconv>

#include "schemagen/base/portable_floats.h"

namespace schemagen {

constexpr bool kStandardReadsFloats =
#if defined(_LIBCPP_AVAILABILITY_HAS_FROM_CHARS_FLOATING_POINT)
    // libc++ leaves the other macro undefined: it lacks long double. Systems older than it lack the
    // functions.
    _LIBCPP_AVAILABILITY_HAS_FROM_CHARS_FLOATING_POINT;
#elif defined(__cpp_lib_to_chars)
    __cpp_lib_to_chars >= 201611L;
#else
    false;
#endif

/// std::from_chars. (NaN with a text in parentheses is read without that text where the standard lacks it.)
template <class Float>
std::from_chars_result parse_float(const char* first, const char* last, Float& value) {
  if constexpr (kStandardReadsFloats) {
    return std::from_chars(first, last, value);
  } else {
    return portable::parse_float(first, last, value);
  }
}

/// Writes the shortest digits that read back as a finite value, with an exponent: `1.5e+00`. `at` must have
/// room for 32 bytes. Returns the end.
template <class Float>
char* put_shortest(char* at, Float value) {
  if constexpr (kStandardReadsFloats) {
    return std::to_chars(at, at + 32, value, std::chars_format::scientific).ptr;
  } else {
    return portable::put_shortest(at, value);
  }
}

/// std::to_chars of a finite value, fixed or general. Up to `last` there must be room. Returns the end.
template <class Double>
char* put_rounded(char* at, char* last, Double value, std::chars_format format, int precision) {
  if constexpr (kStandardReadsFloats) {
    return std::to_chars(at, last, value, format, precision).ptr;
  } else {
    return portable::put_rounded(at, last, value, format, precision);
  }
}

}  // namespace schemagen
