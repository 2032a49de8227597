// Dead nodes, told apart by what they are.
#pragma once

#include <cstddef>

#include "pt2/canonical/precedence.h"
#include "pt2/canonical/ranking.h"
#include "pt2/graph/index.h"
#include "pt2/types.h"
#include "schemagen/base/map.h"

namespace pt2 {

/// Numbers for the symbols that live values define, in the order of those values.
using SymbolNumbers = schemagen::Map<std::size_t>;

/// A graph with dead nodes, and what is known of the names that they use.
struct DeadNodes {
  const Graph& graph;  // nodes of its subgraphs are in their final order
  const GraphIndex& values;
  const Precedence* precedence;  // null if nothing writes to memory
  const SymbolNumbers& symbols;
  const schemagen::Map<RangeConstraint>& ranges;  // of symbols
};

/// Ranks the nodes without a rank, each after what it needs. Their order depends only on what they are and
/// what they name, as far as ColouredGraph::order() can tell; beyond that, on which comes first in the graph.
void rank_dead_nodes(const DeadNodes& nodes, Ranking& ranking);

}  // namespace pt2
