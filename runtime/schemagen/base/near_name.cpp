#include "schemagen/base/near_name.h"

#include <algorithm>
#include <utility>

#include "schemagen/base/ascii.h"
#include "schemagen/base/quote.h"

namespace schemagen {
namespace {

/// Insertions, removals, replacements and swaps of neighbors. Ignores case.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  const auto same = [](char x, char y) { return lower(x) == lower(y); };
  // Distances of the prefix of `a` up to this character, up to the previous one, and up to the one before
  // that.
  std::vector<std::size_t> row(b.size() + 1);
  std::vector<std::size_t> above;
  std::vector<std::size_t> two_above;
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    two_above = std::exchange(above, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = above[j - 1] + (same(a[i - 1], b[j - 1]) ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]);
      if (swapped) row[j] = std::min(row[j], two_above[j - 2] + 1);
    }
  }
  return row.back();
}

}  // namespace

std::string_view nearest_name(std::string_view name, const std::vector<std::string_view>& candidates) {
  if (name.size() > kMaxSuggestedName || candidates.size() > kMaxCandidates) return {};
  const std::size_t limit = std::max<std::size_t>(1, name.size() / 3);
  std::string_view best;
  std::size_t best_distance = limit + 1;
  for (const std::string_view candidate : candidates) {
    if (candidate.size() > name.size() + limit || name.size() > candidate.size() + limit) continue;
    const std::size_t distance = edit_distance(name, candidate);
    if (distance >= best_distance) continue;
    best = candidate;
    best_distance = distance;
  }
  return best;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string_view>& candidates) {
  const std::string_view best = nearest_name(name, candidates);
  return best.empty() ? "" : "did you mean " + quoted(best) + "?";
}

std::string with_suggestion(const std::string& message, std::string_view name,
                            const std::vector<std::string_view>& candidates) {
  const std::string near = did_you_mean(name, candidates);
  return near.empty() ? message : message + ", " + near;
}

}  // namespace schemagen
