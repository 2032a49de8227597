#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "pt2/graph/index.h"
#include "pt2/operators/operators.h"
#include "pt2/types.h"

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

/// The constraints on the order of nodes: effects stay in order, each node comes after its operands, and a
/// node that might see another node's writes stays on the same side of them.
class Precedence {
 public:
  using Index = Ranking::Index;

  Precedence(const Graph& graph, const GraphIndex& values, const OperatorSet& operators);

  const std::vector<Index>& followers(Index node) const { return followers_[node]; }

  /// Returns an order that always takes the available node with the lowest rank. All nodes must have a rank.
  std::vector<Index> order(const Ranking& ranking) const;

 private:
  struct Access {
    Index last_writer = GraphIndex::kNone;
    std::vector<Index> readers;
  };

  void add(Index before, Index after);
  void access(Access& memory, Index node, bool writes);

  std::vector<std::vector<Index>> followers_;
  std::vector<Index> waiting_for_;
};

/// Returns whether a node writes to memory that others see. If none does, only effects and data must be kept
/// in order.
bool any_changes_memory(const Graph& graph, const OperatorSet& operators);

}  // namespace pt2
