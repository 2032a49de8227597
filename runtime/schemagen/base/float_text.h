#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace schemagen {

constexpr std::size_t kLongestFloat = 32;

/// Writes Python's repr of a finite double or float: the shortest digits that read back as the same value,
/// with an exponent if the exponent is below -4 or above 15. `at` must have room for kLongestFloat bytes.
/// Returns the end.
template <class Float>
char* put_float(char* at, Float value);

std::optional<double> nonfinite_named(std::string_view text);

/// Returns the float nearest to the number in `text`; nullopt if the number is too large. `rounded` is the
/// nearest double.
std::optional<float> nearest_float(std::string_view text, double rounded);

/// Returns Python's repr of any double or float, e.g. `1.0`, `1e+22`, `-0.0`, `inf`, `-inf` or `nan`.
template <class Float>
std::string float_text(Float value);

}  // namespace schemagen
