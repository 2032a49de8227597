// Finds consecutive repetitions in a sequence.
#pragma once

#include <cstddef>
#include <vector>

namespace pt2 {

/// `count` repetitions of the same `period` items, starting at `begin`.
struct Repeat {
  std::size_t begin = 0;
  std::size_t period = 0;
  std::size_t count = 0;  // at least 2

  std::size_t end() const noexcept { return begin + period * count; }
};

/// Returns the non-overlapping repeats of `tokens` that cover the most items, in order, without repeats of
/// fewer than `least` items. In long sequences, periods that would take more than about 10^8 comparisons are
/// not searched.
std::vector<Repeat> find_repeats(const std::vector<std::size_t>& tokens, std::size_t least);

}  // namespace pt2
