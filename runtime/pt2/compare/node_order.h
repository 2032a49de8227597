// An order of nodes that depends on nothing but what they compute from what.
#pragma once

#include "pt2/types.h"

namespace pt2 {

/// Puts the nodes of `graph` and of its subgraphs into an order that is the same for any order they may have
/// stood in, and any names: nodes with effects (see effects.h) stay in theirs, each after what it needs; then
/// comes what the outputs need, from the first output on; then what nobody needs. Nodes that may see what
/// another one changes in memory stay on their side of it.
///
/// Of nodes that nobody needs, and that no refinement tells apart though they are no copies of each other,
/// which takes unusual graphs, the one that stood first comes first.
///
/// Dicts must be sorted by key. `path` is that of the graph, for messages.
/// Errors: DataError if a value is defined twice, or used before it is defined.
/// Time: O(n log n) in the number of nodes and operands, but for nodes that nobody needs.
void order_nodes(Graph& graph, const std::string& path);

}  // namespace pt2
