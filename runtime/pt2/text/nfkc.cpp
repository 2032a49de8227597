#include "pt2/text/python_name.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <tuple>
#include <vector>

#include "pt2/tables/nfkc_table.h"
#include "schemagen/base/utf8.h"

namespace pt2 {
namespace {

using nfkc::Composition;
using nfkc::kCompositions;
using nfkc::kMarks;
using nfkc::kUnstable;
using CodePoints = std::vector<std::uint32_t>;

template <class Range, std::size_t kCount>
const Range* find_range(const Range (&ranges)[kCount], std::uint32_t point) {
  const auto ends_before = [](const Range& range, std::uint32_t searched) { return range.last < searched; };
  const Range* const at = std::lower_bound(std::begin(ranges), std::end(ranges), point, ends_before);
  return at == std::end(ranges) || point < at->first ? nullptr : at;
}

std::uint32_t combining_class(std::uint32_t point) {
  const nfkc::MarkRange* const marks = find_range(kMarks, point);
  return marks == nullptr ? 0 : marks->combining_class;
}

std::uint32_t composed(std::uint32_t first, std::uint32_t second) {
  const auto is_less = [](const Composition& a, const Composition& b) {
    return std::tie(a.first, a.second) < std::tie(b.first, b.second);
  };
  const Composition searched{first, second, 0};
  const Composition* const at =
      std::lower_bound(std::begin(kCompositions), std::end(kCompositions), searched, is_less);
  return at == std::end(kCompositions) || is_less(searched, *at) ? 0 : at->composed;
}

const std::vector<Composition>& by_composed() {
  static const std::vector<Composition> kSorted = [] {
    std::vector<Composition> pairs(std::begin(kCompositions), std::end(kCompositions));
    std::sort(pairs.begin(), pairs.end(),
              [](const Composition& a, const Composition& b) { return a.composed < b.composed; });
    return pairs;
  }();
  return kSorted;
}

void decompose(std::uint32_t point, CodePoints& out) {
  const std::vector<Composition>& pairs = by_composed();
  const auto at = std::lower_bound(
      pairs.begin(), pairs.end(), point,
      [](const Composition& pair, std::uint32_t searched) { return pair.composed < searched; });
  if (at == pairs.end() || at->composed != point) return out.push_back(point);
  decompose(at->first, out);
  out.push_back(at->second);
}

void put_marks_in_order(CodePoints& points) {
  const auto is_mark = [](std::uint32_t point) { return combining_class(point) != 0; };
  for (auto first = points.begin(); first != points.end();) {
    first = std::find_if(first, points.end(), is_mark);
    const auto last = std::find_if_not(first, points.end(), is_mark);
    std::stable_sort(first, last, [](std::uint32_t a, std::uint32_t b) {
      return combining_class(a) < combining_class(b);
    });
    first = last;
  }
}

/// Source: Unicode Standard Annex #15.
CodePoints compose(const CodePoints& points) {
  CodePoints out;
  std::size_t starter = 0;
  std::uint32_t last_class = 0;
  for (const std::uint32_t point : points) {
    const std::uint32_t mark_class = combining_class(point);
    const bool is_next = starter == out.size();
    const bool is_blocked = starter == 0 || !(is_next || last_class < mark_class);
    const std::uint32_t whole = is_blocked ? 0 : composed(out[starter - 1], point);
    if (whole != 0) {
      out[starter - 1] = whole;
      continue;
    }
    out.push_back(point);
    if (mark_class == 0) starter = out.size();
    last_class = mark_class;
  }
  return out;
}

}  // namespace

bool is_nfkc(std::string_view text) {
  if (schemagen::is_ascii(text)) return true;
  CodePoints points;
  for (std::size_t at = 0; at < text.size();) {
    const std::optional<char32_t> point = schemagen::next_code_point(text, at);
    if (!point || find_range(kUnstable, *point) != nullptr) return false;
    points.push_back(*point);
  }
  CodePoints decomposed;
  for (const std::uint32_t point : points) decompose(point, decomposed);
  put_marks_in_order(decomposed);
  return compose(decomposed) == points;
}

}  // namespace pt2
