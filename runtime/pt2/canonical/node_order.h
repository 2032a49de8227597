#pragma once

#include "pt2/operators/operators.h"
#include "pt2/types.h"

namespace pt2 {

/// Orders the nodes of `program` and its subgraphs by structure, independently of their names and original
/// order. Nodes with effects (see effects.h) keep their order, each after its operands. Then come the nodes
/// that the outputs depend on, starting from the first output, and then dead nodes. A node that might see
/// another node's writes stays on the same side of them.
///
/// Dead nodes are ordered by refinement.h. In unusual graphs, nodes that look alike but are not
/// interchangeable keep their original order.
///
/// Dicts must be sorted by key. Throws DataError if a value is defined twice or used before its definition.
/// Takes O(n log^2 n) time in the number of nodes and operands, or O(n log n) without dead nodes.
void order_nodes(ExportedProgram& program, const OperatorSet& operators);

}  // namespace pt2
