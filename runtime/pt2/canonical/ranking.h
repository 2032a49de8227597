#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "pt2/graph/index.h"

namespace pt2 {

class Ranking {
 public:
  using Index = std::uint32_t;

  Ranking(const GraphIndex& values, std::size_t nodes) : values_(values), ranks_(nodes, GraphIndex::kNone) {}

  bool is_ranked(Index node) const { return ranks_[node] != GraphIndex::kNone; }
  Index rank(Index node) const { return ranks_[node]; }
  const std::vector<Index>& order() const { return order_; }

  /// Ranks the unranked nodes that `node` depends on, operand by operand, and then `node`.
  void add(Index node);

 private:
  void enter(Index node);

  const GraphIndex& values_;
  std::vector<Index> ranks_;
  std::vector<Index> order_;
  std::vector<std::pair<Index, const GraphIndex::Use*>> stack_;
};

}  // namespace pt2
