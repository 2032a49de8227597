// The longest common subsequence of two sequences.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace pt2 {

/// Returns a longest common subsequence of `a` and `b` as pairs of indices of equal items, ascending in both.
/// After 2000 differences, the rest stays unmatched except for a common suffix. Time: O((n + m) *
/// differences). Memory: O(differences^2), at most 16 MB. Source: E. Myers, An O(ND) Difference Algorithm and
/// Its Variations, 1986.
std::vector<std::pair<std::size_t, std::size_t>> match_sequences(const std::vector<std::uint32_t>& a,
                                                                 const std::vector<std::uint32_t>& b);

}  // namespace pt2
