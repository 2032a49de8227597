#include "pt2/show/repeats.h"

#include <algorithm>

namespace pt2 {
namespace {

constexpr std::size_t kComparisons = 100'000'000;

void add_repeats(const std::vector<std::size_t>& tokens, std::size_t period, std::vector<Repeat>& found) {
  std::size_t begin = 0;
  for (std::size_t i = 0; i + period <= tokens.size(); ++i) {
    if (i + period < tokens.size() && tokens[i] == tokens[i + period]) continue;
    if (i - begin >= period) found.push_back({begin, period, (i - begin) / period + 1});
    begin = i + 1;
  }
}

}  // namespace

std::vector<Repeat> find_repeats(const std::vector<std::size_t>& tokens, std::size_t least) {
  if (tokens.empty()) return {};
  std::vector<Repeat> found;
  const std::size_t longest = std::min(tokens.size() / 2, kComparisons / tokens.size());
  for (std::size_t period = 1; period <= longest; ++period) add_repeats(tokens, period, found);
  // Short periods first: a repetition with period 3 also has period 6.
  std::stable_sort(found.begin(), found.end(),
                   [](const Repeat& a, const Repeat& b) { return a.period * a.count > b.period * b.count; });
  std::vector<bool> is_taken(tokens.size(), false);
  std::vector<Repeat> chosen;
  for (const Repeat& repeat : found) {
    const auto begin = is_taken.begin() + static_cast<std::ptrdiff_t>(repeat.begin);
    const auto end = is_taken.begin() + static_cast<std::ptrdiff_t>(repeat.end());
    if (std::find(begin, end, true) != end) continue;
    std::fill(begin, end, true);
    if (repeat.period >= least) chosen.push_back(repeat);
  }
  std::sort(chosen.begin(), chosen.end(), [](const Repeat& a, const Repeat& b) { return a.begin < b.begin; });
  return chosen;
}

}  // namespace pt2
