#pragma once

#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>

namespace pt2 {

/// Returns the integer that the digits spell, or nullopt for other text or if the integer is out of range.
template <class Integer = std::int64_t>
std::optional<Integer> integer_of_text(std::string_view text, int base = 10) {
  Integer number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number, base);
  return error == std::errc() && rest == end ? std::optional(number) : std::nullopt;
}

constexpr std::optional<std::int64_t> checked_sum(std::int64_t a, std::int64_t b) noexcept {
  using Limits = std::numeric_limits<std::int64_t>;
  if (b > 0 ? a > Limits::max() - b : a < Limits::min() - b) return std::nullopt;
  return a + b;
}

constexpr std::optional<std::int64_t> checked_product(std::int64_t a, std::int64_t b) noexcept {
  using Limits = std::numeric_limits<std::int64_t>;
  const bool fits = a == 0 || b == 0 ||
                    (a > 0 ? (b > 0 ? a <= Limits::max() / b : b >= Limits::min() / a)
                           : (b > 0 ? a >= Limits::min() / b : b >= Limits::max() / a));
  return fits ? std::optional(a * b) : std::nullopt;
}

}  // namespace pt2
