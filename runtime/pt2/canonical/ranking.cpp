#include "pt2/canonical/ranking.h"

namespace pt2 {

void Ranking::add(Index node) {
  enter(node);
  while (!stack_.empty()) {
    auto& [top, use] = stack_.back();
    if (use == values_.uses(top).end()) {
      ranks_[top] = static_cast<Index>(order_.size());
      order_.push_back(top);
      stack_.pop_back();
    } else {
      const Index needed = values_.defining_node((use++)->value);
      if (needed != GraphIndex::kNone) enter(needed);
    }
  }
}

void Ranking::enter(Index node) {
  if (!is_ranked(node)) stack_.emplace_back(node, values_.uses(node).begin());
}

}  // namespace pt2
