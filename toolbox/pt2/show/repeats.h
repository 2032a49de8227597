#pragma once

#include <cstddef>
#include <vector>

namespace pt2 {

struct Repeat {
  std::size_t begin = 0;
  std::size_t period = 0;
  std::size_t count = 0;

  std::size_t end() const noexcept { return begin + period * count; }
};

/// Returns the non-overlapping repeats that cover the most items, in order. Each covers at least `least`
/// items. In long sequences, periods that would take over 10^8 comparisons are not searched.
std::vector<Repeat> find_repeats(const std::vector<std::size_t>& tokens, std::size_t least);

}  // namespace pt2
