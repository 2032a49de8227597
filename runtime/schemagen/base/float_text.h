#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace schemagen {

constexpr std::size_t kLongestFloat = 32;

/// Writes Python's repr of a finite double: the shortest digits that read back as the same value, with an
/// exponent if the exponent is below -4 or above 15. `at` must have room for kLongestFloat bytes. Returns the
/// end.
char* put_float(char* at, double value);
char* put_float(char* at, float value);

std::optional<double> nonfinite_named(std::string_view text);

/// Returns the float nearest to the number in `text`; nullopt if the number is too large. `rounded` is the
/// nearest double.
std::optional<float> nearest_float(std::string_view text, double rounded);

/// Returns Python's repr of any double, e.g. `1.0`, `1e+22`, `-0.0`, `inf`, `-inf` or `nan`.
std::string float_text(double value);
std::string float_text(float value);

}  // namespace schemagen
