// Nodes that nothing needs, told apart by what they are.
#pragma once

#include <cstddef>

#include "pt2/compare/precedence.h"
#include "pt2/compare/ranking.h"
#include "pt2/graph/index.h"
#include "pt2/types.h"
#include "schemagen/value/map.h"

namespace pt2 {

/// Symbols that are known by the values that something needs, with numbers in the order of these.
using SymbolNumbers = schemagen::Map<std::size_t>;

/// Where the nodes are that nobody needs, and what is known of what they name.
struct UnneededNodes {
  const Graph& graph;  // its subgraphs are in their final order
  const GraphIndex& values;
  const Precedence* precedence;  // null: all of its constraints are in `values`
  const SymbolNumbers& symbols;
  const schemagen::Map<RangeConstraint>& ranges;  // of symbols
};

/// Gives ranks to the nodes that have none, each after what it needs itself. The order depends on nothing but
/// what they are and what they name, as far as ColouredGraph::order() can tell; where it cannot, the one that
/// stands first comes first.
void rank_unneeded(const UnneededNodes& nodes, Ranking& ranking);

}  // namespace pt2
