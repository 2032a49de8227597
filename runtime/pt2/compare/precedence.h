// Which nodes must come before which, beside what they need, as they work on the same memory.
#pragma once

#include <cstdint>
#include <vector>

#include "pt2/compare/ranking.h"
#include "pt2/graph/index.h"
#include "pt2/types.h"

namespace pt2 {

/// What a graph's own order says of its nodes that must stay so: effects come in their order, each node after
/// what it needs, and who may see what another one writes stays on its side of it.
class Precedence {
 public:
  using Index = Ranking::Index;

  Precedence(const Graph& graph, const GraphIndex& values);

  /// Nodes that must come after `node`; some of them several times.
  const std::vector<Index>& followers(Index node) const { return followers_[node]; }

  /// The order that takes, of the nodes that may come next, the one with the least rank. All nodes are
  /// ranked.
  std::vector<Index> order(const Ranking& ranking) const;

 private:
  /// Who has read and written some memory so far.
  struct Access {
    Index last_writer = GraphIndex::kNone;
    std::vector<Index> readers;  // since then
  };

  void add(Index before, Index after);
  void access(Access& memory, Index node, bool writes);

  std::vector<std::vector<Index>> followers_;
  std::vector<Index> waiting_for_;  // how many must come before
};

/// Whether a node of `graph` may write to memory that others see: if none does, effects in their order and
/// each node after what it needs is all that must be kept.
bool any_changes_memory(const Graph& graph);

}  // namespace pt2
