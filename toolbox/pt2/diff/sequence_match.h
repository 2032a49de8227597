// What two sequences have in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace pt2 {

/// A longest common subsequence of `a` and `b`: pairs of indices of equal items, ascending in both.
///
/// Of sequences that differ in more than 2000 items, what comes after that many differences is left without
/// partners, but for a common end. Time: O((n + m) * differences). Memory: O(differences^2), at most 16 MB.
/// Source: E. Myers, An O(ND) Difference Algorithm and Its Variations, 1986.
std::vector<std::pair<std::size_t, std::size_t>> match_sequences(const std::vector<std::uint32_t>& a,
                                                                 const std::vector<std::uint32_t>& b);

}  // namespace pt2
