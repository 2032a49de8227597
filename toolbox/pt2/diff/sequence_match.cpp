#include "pt2/diff/sequence_match.h"

#include <algorithm>

#include "schemagen/base/map.h"

namespace pt2 {
namespace {

using Match = std::pair<std::size_t, std::size_t>;
using Signed = std::int64_t;

constexpr Signed kMostEdits = 2000;

/// Appends the matches, as indices from `first` on. Stops at the furthest point after too many edits.
void match_middle(const std::uint32_t* a, Signed count_a, const std::uint32_t* b, Signed count_b,
                  std::size_t first, std::vector<Match>& matches) {
  std::vector<std::vector<Signed>> reaches;  // after d edits, on the diagonals k = -d, -d + 2, ..., d
  const auto at = [&](Signed k, Signed d) -> Signed& {
    return reaches[static_cast<std::size_t>(d)][static_cast<std::size_t>((k + d) / 2)];
  };
  const auto reached = [&](Signed k, Signed d) { return k < -d || k > d ? -1 : at(k, d); };
  const auto inserts = [&](Signed k, Signed d) {
    return k == -d || (k != d && reached(k - 1, d - 1) < reached(k + 1, d - 1));
  };
  const auto start_of_run = [&](Signed k, Signed d) {
    if (d == 0) return Signed{0};
    return inserts(k, d) ? reached(k + 1, d - 1) : reached(k - 1, d - 1) + 1;
  };
  const auto search = [&] {
    for (Signed d = 0;; ++d) {
      reaches.emplace_back(static_cast<std::size_t>(d) + 1);
      Signed furthest = -d;
      for (Signed k = -d; k <= d; k += 2) {
        Signed x = start_of_run(k, d);
        while (x < count_a && x - k < count_b && a[x] == b[x - k]) ++x;
        at(k, d) = x;
        if (x >= count_a && x - k >= count_b) return k;
        const Signed best = at(furthest, d);
        if (x <= count_a && x - k <= count_b && 2 * x - k > 2 * best - furthest) furthest = k;
      }
      if (d == kMostEdits) return furthest;
    }
  };
  Signed k = search();
  std::vector<Match> backwards;
  const auto offset = static_cast<Signed>(first);
  for (Signed d = static_cast<Signed>(reaches.size()) - 1; d >= 0; --d) {
    const Signed start = start_of_run(k, d);
    for (Signed x = at(k, d); x > start; --x) backwards.emplace_back(offset + x - 1, offset + x - 1 - k);
    if (d > 0) k += inserts(k, d) ? 1 : -1;
  }
  matches.insert(matches.end(), backwards.rbegin(), backwards.rend());
}

}  // namespace

std::vector<Match> match_sequences(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  std::vector<Match> matches;
  std::size_t first = 0;
  while (first < std::min(a.size(), b.size()) && a[first] == b[first]) {
    matches.emplace_back(first, first);
    ++first;
  }
  std::size_t end_a = a.size();
  std::size_t end_b = b.size();
  while (end_a > first && end_b > first && a[end_a - 1] == b[end_b - 1]) {
    --end_a;
    --end_b;
  }
  if (end_a > first && end_b > first) {
    match_middle(a.data() + first, static_cast<Signed>(end_a - first), b.data() + first,
                 static_cast<Signed>(end_b - first), first, matches);
  }
  for (; end_a < a.size(); ++end_a, ++end_b) matches.emplace_back(end_a, end_b);
  return matches;
}

std::vector<KeyMatch> match_keys(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  schemagen::Map<std::optional<std::size_t>> first;
  std::vector<std::optional<std::size_t>> next(b.size());
  for (std::size_t i = b.size(); i-- > 0;) next[i] = std::exchange(first[b[i]], i);
  std::vector<KeyMatch> matches;
  std::vector<bool> is_matched(b.size(), false);
  for (std::size_t i = 0; i < a.size(); ++i) {
    KeyMatch& match = matches.emplace_back(KeyMatch{i, std::nullopt});
    std::optional<std::size_t>* const found = first.find(a[i]);
    if (found == nullptr || !*found) continue;
    match.b = std::exchange(*found, next[**found]);
    is_matched[*match.b] = true;
  }
  for (std::size_t i = 0; i < b.size(); ++i) {
    if (!is_matched[i]) matches.push_back({std::nullopt, i});
  }
  return matches;
}

bool are_in_order(const std::vector<KeyMatch>& matches) {
  std::size_t next = 0;
  for (const KeyMatch& match : matches) {
    if (!match.a || !match.b) continue;
    if (*match.b < next) return false;
    next = *match.b;
  }
  return true;
}

}  // namespace pt2
