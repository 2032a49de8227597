#pragma once

#include <cmath>
#include <string>
#include <string_view>
#include <system_error>

#include "schemagen/base/float_chars.h"
#include "schemagen/base/float_text.h"

namespace generator {

/// Returns Python's repr of a finite value, and `nan`, `infinity` or `-` and `infinity` of others.
template <class Float>
std::string float_literal(Float value, std::string_view nan, std::string_view infinity) {
  if (std::isfinite(value)) return schemagen::float_text(value);
  return std::isnan(value) ? std::string(nan) : (value < 0 ? "-" : "") + std::string(infinity);
}

template <class Float>
std::string yaml_float(Float value) {
  return float_literal(value, ".nan", ".inf");
}

/// Returns the shortest YAML of a number, `inf` or `nan`, and other text unchanged.
inline std::string yaml_float_of(const std::string& text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [last, error] = schemagen::parse_float(text.data(), end, value);
  return error == std::errc() && last == end ? yaml_float(value) : text;
}

}  // namespace generator
