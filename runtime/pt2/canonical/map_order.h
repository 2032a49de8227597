// Maps in the order of their keys.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "schemagen/base/map.h"

namespace pt2 {

/// Sorts the entries by key, as bytes, which for UTF-8 is the order of code points.
template <class T>
void sort_by_key(schemagen::Map<T>& map) {
  std::vector<std::pair<const std::string*, T*>> entries;
  entries.reserve(map.size());
  bool is_sorted = true;
  for (auto& [key, value] : map) {
    is_sorted = is_sorted && (entries.empty() || *entries.back().first < key);
    entries.emplace_back(&key, &value);
  }
  if (is_sorted) return;
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return *a.first < *b.first; });
  schemagen::Map<T> sorted;
  sorted.reserve(entries.size());
  for (const auto& [key, value] : entries) *sorted.try_emplace(*key).first = std::move(*value);
  map = std::move(sorted);
}

}  // namespace pt2
