// Counts the multiply-adds of nodes.
#pragma once

#include <optional>

#include "pt2/operators/operators.h"
#include "pt2/strings/expression_value.h"
#include "pt2/types.h"

namespace pt2 {

/// Returns the multiply-adds of `node` in `graph`, without its subgraphs. Counts matrix products,
/// convolutions, einsum, recurrent layers and attention, without biases and scales: half of what
/// torch.utils.flop_counter counts. 0 for views, pointwise operators and functions of numbers. nullopt for
/// other operators, and if the type of an operand is unknown.
///
/// `op`: the node's operator; null if unknown. Throws DataError if the node does not match it or a count
/// overflows 64 bits.
std::optional<Polynomial> multiply_adds(const Node& node, const Graph& graph, const Bindings& bindings,
                                        const Operator* op);

}  // namespace pt2
