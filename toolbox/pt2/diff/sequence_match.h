#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pt2 {

/// Returns a longest common subsequence, as pairs of indices, ascending in both. After 2000 differences,
/// matches only a common suffix. Takes O((n + m) * differences) time and O(differences^2) memory, at most 16
/// MB. Source: E. Myers, An O(ND) Difference Algorithm and Its Variations, 1986.
std::vector<std::pair<std::size_t, std::size_t>> match_sequences(const std::vector<std::uint32_t>& a,
                                                                 const std::vector<std::uint32_t>& b);

/// The places of an item in both lists. One is empty if the other list lacks the item.
struct KeyMatch {
  std::optional<std::size_t> a;
  std::optional<std::size_t> b;
};

/// Matches the first `key` in `a` with the first `key` in `b`, the second with the second, and so on. Returns
/// the items of `a` in order, then the rest of `b` in order. Takes linear time.
std::vector<KeyMatch> match_keys(const std::vector<std::string>& a, const std::vector<std::string>& b);

/// Returns whether the matched items have the same order in both lists.
bool are_in_order(const std::vector<KeyMatch>& matches);

}  // namespace pt2
