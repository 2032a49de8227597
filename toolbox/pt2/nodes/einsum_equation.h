// Equations of einsum, such as "bij,bjk->bik".
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace pt2 {

/// The labels of the operands and of the result, one character per dim. Dims that `...` covers have labels of
/// their own: the same from the right in each operand, as in broadcasting.
struct EinsumEquation {
  std::vector<std::string> operands;
  std::string result;
};

/// Whether a label stands for a dim that `...` covers.
constexpr bool is_broadcast_label(char label) noexcept {
  return label >= 1 && label <= 64;  // below all letters
}

/// Reads an equation for operands of these ranks. An equation without `->` gets the implicit result.
/// Throws DataError if the equation does not match the operands.
EinsumEquation parse_einsum(std::string equation, const std::vector<std::size_t>& ranks);

}  // namespace pt2
