#pragma once

#include <optional>

#include "pt2/operators/operators.h"
#include "pt2/strings/expression_value.h"
#include "pt2/types.h"

namespace pt2 {

/// Returns the number of multiply-adds of `node` without its subgraphs. Counts matrix products, convolutions,
/// einsum, recurrent layers and attention, without biases and scales; this is half of what
/// torch.utils.flop_counter counts. Returns 0 for views, pointwise operators and functions of numbers, and
/// nullopt for other operators or if an operand's type is unknown. `op` is null if unknown. Throws DataError
/// if the node does not match `op` or a count overflows 64 bits.
std::optional<Polynomial> multiply_adds(const Node& node, const Graph& graph, const Bindings& bindings,
                                        const Operator* op);

}  // namespace pt2
