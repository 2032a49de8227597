#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace pt2 {

/// An equation with one character per dim. Dims that `...` covers have their own labels, the same from the
/// right in each operand.
struct EinsumEquation {
  std::vector<std::string> operands;
  std::string result;
};

constexpr bool is_broadcast_label(char label) noexcept {
  return label >= 1 && label <= 64;  // below all letters
}

/// Parses an equation. Without `->`, the result is implicit. Throws DataError if the equation does not match
/// operands of these ranks.
EinsumEquation parse_einsum(std::string equation, const std::vector<std::size_t>& ranks);

}  // namespace pt2
