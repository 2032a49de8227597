#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace pt2 {

/// An equation with one character per dim. Dims that `...` covers have separate labels, which are the same in
/// each operand when counted from the right.
struct EinsumEquation {
  std::vector<std::string> operands;
  std::string result;
};

constexpr bool is_broadcast_label(char label) noexcept {
  return label >= 1 && label <= 64;  // these are below all letters
}

/// Parses an equation. Without `->`, the result is implicit. Throws DataError if the equation does not match
/// operands of these ranks.
EinsumEquation parse_einsum(std::string equation, const std::vector<std::size_t>& ranks);

}  // namespace pt2
