#pragma once

#include <cstddef>

#include "pt2/canonical/precedence.h"
#include "pt2/canonical/ranking.h"
#include "pt2/graph/index.h"
#include "pt2/types.h"
#include "schemagen/base/map.h"

namespace pt2 {

/// The symbols that live values define, numbered in the order of those values.
using SymbolNumbers = schemagen::Map<std::size_t>;

struct DeadNodes {
  const Graph& graph;  // its subgraphs are already ordered
  const GraphIndex& values;
  const Precedence* precedence;  // null if nothing writes to memory
  const SymbolNumbers& symbols;
  const schemagen::Map<RangeConstraint>& ranges;
};

/// Ranks the dead nodes, each after its operands. Their order depends only on structure as far as
/// ColouredGraph::order() can distinguish the nodes, and otherwise on their order in the graph.
void rank_dead_nodes(const DeadNodes& nodes, Ranking& ranking);

}  // namespace pt2
