// The characters of names in sympy's and Python's text.
#pragma once

namespace pt2 {

constexpr bool is_letter(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
constexpr bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}

}  // namespace pt2
