#include "pt2/diff/sequence_match.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "runtime/test_seed.h"

using pt2::match_sequences;
using Sequence = std::vector<std::uint32_t>;
using Matches = std::vector<std::pair<std::size_t, std::size_t>>;

namespace {

std::size_t longest_common(const Sequence& a, const Sequence& b) {
  std::vector<std::vector<std::size_t>> table(a.size() + 1, std::vector<std::size_t>(b.size() + 1, 0));
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      table[i][j] =
          a[i - 1] == b[j - 1] ? table[i - 1][j - 1] + 1 : std::max(table[i - 1][j], table[i][j - 1]);
    }
  }
  return table[a.size()][b.size()];
}

void check_is_common(const Matches& matches, const Sequence& a, const Sequence& b) {
  for (std::size_t i = 0; i < matches.size(); ++i) {
    CHECK(a.at(matches[i].first) == b.at(matches[i].second));
    if (i > 0) CHECK(matches[i - 1].first < matches[i].first);
    if (i > 0) CHECK(matches[i - 1].second < matches[i].second);
  }
}

}  // namespace

TEST_CASE("finds what is inserted, deleted and replaced") {
  CHECK(match_sequences({1, 2, 3}, {1, 2, 3}) == Matches{{0, 0}, {1, 1}, {2, 2}});
  CHECK(match_sequences({1, 3}, {1, 2, 3}) == Matches{{0, 0}, {1, 2}});
  CHECK(match_sequences({1, 2, 3}, {1, 3}) == Matches{{0, 0}, {2, 1}});
  CHECK(match_sequences({1, 2, 3}, {1, 9, 3}) == Matches{{0, 0}, {2, 2}});
  CHECK(match_sequences({}, {1}).empty());
  CHECK(match_sequences({1}, {2}).empty());
}

TEST_CASE("finds as much as there is in random sequences") {
  std::mt19937_64 random(test_seed());
  for (int round = 0; round < 500; ++round) {
    const auto sequence = [&] {
      Sequence items(random() % 20);
      for (auto& item : items) item = static_cast<std::uint32_t>(random() % 4);
      return items;
    };
    const Sequence a = sequence();
    const Sequence b = sequence();
    const Matches matches = match_sequences(a, b);
    check_is_common(matches, a, b);
    CHECK(matches.size() == longest_common(a, b));
  }
}

TEST_CASE("gives up on sequences that have little in common, but not on what they end with") {
  Sequence a;
  Sequence b;
  for (std::uint32_t i = 0; i < 20000; ++i) {
    a.push_back(i);
    b.push_back(i % 10 == 0 ? i : i + 1000000);
  }
  a.push_back(7);
  b.push_back(7);
  const Matches matches = match_sequences(a, b);
  check_is_common(matches, a, b);
  CHECK(matches.size() > 100);
  CHECK(matches.back() == Matches::value_type(20000, 20000));
}
