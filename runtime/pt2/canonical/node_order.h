// An order of nodes that depends on nothing but what they compute from what.
#pragma once

#include "pt2/operators/operators.h"
#include "pt2/types.h"

namespace pt2 {

/// Puts the nodes of `program` and of its subgraphs into an order that is the same for any order they may
/// have stood in, and any names: nodes with effects (see effects.h) stay in theirs, each after what it needs;
/// then comes what the outputs need, from the first output on; then dead nodes, whose results nothing needs.
/// Nodes that may see what another one changes in memory stay on their side of it.
///
/// Dead nodes are told apart by what they are and what they hang together with: see
/// refinement.h. Of those that are still alike though they are not interchangeable, which takes unusual
/// graphs, the one that stood first comes first.
///
/// Dicts must be sorted by key. Errors: DataError if a value is defined twice, or used before it is defined.
/// Time: O(n log^2 n) in the number of nodes and operands, without dead nodes O(n log n).
void order_nodes(ExportedProgram& program, const OperatorSet& operators);

}  // namespace pt2
