// Floats as Python writes them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace schemagen {

/// The longest text of a float.
constexpr std::size_t kLongestFloat = 32;

/// Writes Python's repr of a finite double: the shortest digits that read back as the same value, with an
/// exponent if it is below -4 or above 15. `at` must have room for kLongestFloat bytes. Returns the end.
char* put_float(char* at, double value);
/// The same for a float: the shortest digits that read back as the same float.
char* put_float(char* at, float value);

/// Returns the double that "NaN", "Infinity" or "-Infinity" stands for; nullopt for any other text.
std::optional<double> nonfinite_named(std::string_view text);

/// Returns the float nearest to the number in `text`, whose nearest double is `rounded`; nullopt if it is too
/// large.
std::optional<float> nearest_float(std::string_view text, double rounded);

/// Returns Python's repr of any double: `1.0`, `1e+22`, `-0.0`, `inf`, `-inf`, `nan`.
std::string float_text(double value);
std::string float_text(float value);

}  // namespace schemagen
