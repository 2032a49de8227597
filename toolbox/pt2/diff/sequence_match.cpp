#include "pt2/diff/sequence_match.h"

#include <algorithm>

#include "schemagen/base/map.h"

namespace pt2 {
namespace {

using Match = std::pair<std::size_t, std::size_t>;
using Signed = std::int64_t;

constexpr Signed kMostEdits = 2000;

using Reach = std::vector<Signed>;

class Middle {
 public:
  Middle(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b, std::size_t first,
         std::size_t end_a, std::size_t end_b)
      : a_(a.data() + first),
        b_(b.data() + first),
        count_a_(static_cast<Signed>(end_a - first)),
        count_b_(static_cast<Signed>(end_b - first)) {}

  void match(std::vector<Match>& matches, std::size_t first) {
    Signed k = search();
    std::vector<Match> backwards;
    Signed x = reaches_.back()[index(k, edits())];
    while (true) {
      const Signed d = edits();
      const Signed start = d == 0 ? 0 : start_of_run(k, d);
      for (; x > start; --x) backwards.emplace_back(x - 1, x - 1 - k);
      if (d == 0) break;
      k += inserts(k, d) ? 1 : -1;
      reaches_.pop_back();
      x = reached(k, d - 1);
    }
    for (auto match = backwards.rbegin(); match != backwards.rend(); ++match) {
      matches.emplace_back(match->first + first, match->second + first);
    }
  }

 private:
  static std::size_t index(Signed k, Signed d) { return static_cast<std::size_t>((k + d) / 2); }
  Signed edits() const { return static_cast<Signed>(reaches_.size()) - 1; }

  Signed reached(Signed k, Signed d) const {
    return k < -d || k > d ? -1 : reaches_[static_cast<std::size_t>(d)][index(k, d)];
  }

  bool inserts(Signed k, Signed d) const {
    return k == -d || (k != d && reached(k - 1, d - 1) < reached(k + 1, d - 1));
  }

  Signed start_of_run(Signed k, Signed d) const {
    return inserts(k, d) ? reached(k + 1, d - 1) : reached(k - 1, d - 1) + 1;
  }

  /// Stops at the end, or at the furthest point after too many edits.
  Signed search() {
    for (Signed d = 0;; ++d) {
      reaches_.emplace_back(static_cast<std::size_t>(d) + 1);
      Signed furthest = -d;
      for (Signed k = -d; k <= d; k += 2) {
        Signed x = d == 0 ? 0 : start_of_run(k, d);
        while (x < count_a_ && x - k < count_b_ && a_[x] == b_[x - k]) ++x;
        reaches_.back()[index(k, d)] = x;
        if (x >= count_a_ && x - k >= count_b_) return k;
        const Signed best = reaches_.back()[index(furthest, d)];
        if (x <= count_a_ && x - k <= count_b_ && 2 * x - k > 2 * best - furthest) furthest = k;
      }
      if (d == kMostEdits) return furthest;
    }
  }

  const std::uint32_t* a_;
  const std::uint32_t* b_;
  Signed count_a_;
  Signed count_b_;
  std::vector<Reach> reaches_;
};

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
  if (end_a > first && end_b > first) Middle(a, b, first, end_a, end_b).match(matches, first);
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
