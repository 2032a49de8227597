#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace pt2 {

/// Returns a longest common subsequence, as pairs of indices, ascending in both. After 2000 differences,
/// matches only a common suffix. Takes O((n + m) * differences) time and O(differences^2) memory, at most 16
/// MB. Source: E. Myers, An O(ND) Difference Algorithm and Its Variations, 1986.
std::vector<std::pair<std::size_t, std::size_t>> match_sequences(const std::vector<std::uint32_t>& a,
                                                                 const std::vector<std::uint32_t>& b);

}  // namespace pt2
