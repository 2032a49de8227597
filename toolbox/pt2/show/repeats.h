// Stretches of a sequence that come several times in a row.
#pragma once

#include <cstddef>
#include <vector>

namespace pt2 {

/// `count` times the same `period` items, from `begin` on.
struct Repeat {
  std::size_t begin = 0;
  std::size_t period = 0;
  std::size_t count = 0;  // at least 2

  std::size_t end() const noexcept { return begin + period * count; }
};

/// The repeats of `tokens` that cover most, in order, none on another; those of fewer than `least` items are
/// left out. Of long sequences, periods that would take more than about 10^8 comparisons are not looked for.
std::vector<Repeat> find_repeats(const std::vector<std::size_t>& tokens, std::size_t least);

}  // namespace pt2
