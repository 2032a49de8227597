#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <queue>
#include <string>
#include <utility>
#include <vector>

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

/// Orders nodes: always takes the node with the least key, then the lowest number, among those that wait for
/// no other. `waiting_for` counts how often visit_followers(other, visit) visits each node. Leaves out nodes
/// that wait for each other. The key of a node is computed when it stops waiting.
template <class KeyOf, class VisitFollowers>
std::vector<std::uint32_t> order_by_key(std::vector<std::uint32_t> waiting_for, const KeyOf& key_of,
                                        const VisitFollowers& visit_followers) {
  using Ready = std::pair<decltype(key_of(0u)), std::uint32_t>;
  std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready;
  for (std::uint32_t node = 0; node < waiting_for.size(); ++node) {
    if (waiting_for[node] == 0) ready.emplace(key_of(node), node);
  }
  std::vector<std::uint32_t> order;
  order.reserve(waiting_for.size());
  while (!ready.empty()) {
    order.push_back(ready.top().second);
    ready.pop();
    visit_followers(order.back(), [&](std::uint32_t follower) {
      if (--waiting_for[follower] == 0) ready.emplace(key_of(follower), follower);
    });
  }
  return order;
}

template <class T>
std::vector<T> in_order(std::vector<T>&& items, const std::vector<std::uint32_t>& order) {
  std::vector<T> result;
  result.reserve(items.size());
  for (const std::uint32_t index : order) result.push_back(std::move(items[index]));
  return result;
}

}  // namespace pt2
