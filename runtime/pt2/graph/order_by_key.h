#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace pt2 {

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

}  // namespace pt2
