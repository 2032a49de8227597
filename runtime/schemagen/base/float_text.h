// Floats as Python writes them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace schemagen {

/// No float's text is longer.
constexpr std::size_t kLongestFloat = 32;

/// Writes Python's repr of a finite double: shortest digits that read back as the same value, with an
/// exponent if that is below -4 or above 15, else with a decimal point. `at` has room for kLongestFloat
/// bytes; gives the end.
char* put_float(char* at, double value);
/// The same of a float: the shortest digits that read back as the same float.
char* put_float(char* at, float value);

/// The double that "NaN", "Infinity" or "-Infinity" names, as JSON has them; nullopt: `text` is another.
std::optional<double> nonfinite_named(std::string_view text);

/// The float nearest to the number that `text` spells, `rounded` being the nearest double; nullopt: it is too
/// large for one.
std::optional<float> nearest_float(std::string_view text, double rounded);

/// Python's repr of any double: `1.0`, `1e+22`, `-0.0`, `inf`, `-inf`, `nan`.
std::string float_text(double value);
std::string float_text(float value);

}  // namespace schemagen
