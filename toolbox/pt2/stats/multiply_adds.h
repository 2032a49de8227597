// How many multiplications with an addition a node takes.
#pragma once

#include <optional>

#include "pt2/operators/operators.h"
#include "pt2/strings/expression_value.h"
#include "pt2/types.h"

namespace pt2 {

/// The multiply-adds of `node` in `graph`, without those of its subgraphs: of matrix products, convolutions
/// (those of einsum and recurrent layers among them) and attention, half of what torch.utils.flop_counter
/// counts, biases and scales not among them. 0 for views, pointwise operators, and functions of numbers.
/// nullopt where nobody says: all others, and where the type of an operand is not known.
///
/// `op` is the node's operator; null: unknown. Errors: DataError if the node does not fit it, or a count
/// leaves 64 bits.
std::optional<Polynomial> multiply_adds(const Node& node, const Graph& graph, const Bindings& bindings,
                                        const Operator* op);

}  // namespace pt2
