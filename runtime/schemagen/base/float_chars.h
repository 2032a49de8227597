// Uses std::from_chars and std::to_chars if the standard library supports them for floats (libc++ does from
// 20 on). Otherwise, uses functions that call the C library and give the same results.
#pragma once

#include <charconv>

#include "schemagen/base/portable_floats.h"

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
