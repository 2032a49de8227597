#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "pt2/graph/order_by_key.h"
#include "schemagen/base/map.h"

namespace pt2 {

/// Sorts entries by the bytes of their new keys. For UTF-8, this is the order of code points.
template <class T, class NewKey>
void rename_keys(schemagen::Map<T>& map, const NewKey& new_key) {
  std::vector<std::pair<std::string, T*>> entries;
  entries.reserve(map.size());
  for (auto& [key, value] : map) entries.emplace_back(new_key(key), &value);
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  schemagen::Map<T> renamed;
  renamed.reserve(entries.size());
  for (auto& [key, value] : entries) *renamed.try_emplace(std::move(key)).first = std::move(*value);
  map = std::move(renamed);
}

template <class T>
void sort_by_key(schemagen::Map<T>& map) {
  const std::string* last = nullptr;
  bool is_sorted = true;
  for (const auto& [key, value] : map) {
    is_sorted = is_sorted && (last == nullptr || *last < key);
    last = &key;
  }
  if (!is_sorted) rename_keys(map, [](const std::string& key) { return key; });
}

template <class T>
std::vector<T> in_order(std::vector<T>&& items, const std::vector<std::uint32_t>& order) {
  std::vector<T> result;
  result.reserve(items.size());
  for (const std::uint32_t index : order) result.push_back(std::move(items[index]));
  return result;
}

}  // namespace pt2
