// Spells literals as in Python, for people.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "schemagen/base/quote.h"

namespace pt2 {

inline std::string bool_literal(bool value) {
  return value ? "True" : "False";
}
inline std::string int_literal(std::int64_t value) {
  return std::to_string(value);
}

/// Returns `1.0`, `1e+22`, `-0.0`, `inf`, `-inf` or `nan`.
std::string float_literal(double value);

/// Returns the number with both parts, e.g. `(1+2j)` or `(0.5-infj)`.
std::string complex_literal(double real, double imag);

using schemagen::printable;

/// Returns printable text in double quotes, with `"` and `\` escaped.
std::string string_literal(std::string_view text);

std::size_t text_width(std::string_view text);

}  // namespace pt2
