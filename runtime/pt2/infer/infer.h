// What the results of a node are, from what it is given. All functions may be called from several threads at
// once.
#pragma once

#include <optional>
#include <vector>

#include "pt2/graph/operators.h"
#include "pt2/infer/value_type.h"
#include "pt2/types.h"

namespace pt2 {

/// The types of the results of `node`, a call of `op` with values of `graph`: one for each that the operator
/// returns, as PyTorch's fake tensors have them on a CPU, strides included, but for those of dims of size 1;
/// nullopt if this operator has no rule here. Rules are there for what computes element by element with
/// broadcasting and promotion of dtypes, for views, reductions, products, convolutions, pooling, norms,
/// operators that make tensors, and arithmetic of symbolic numbers; for operators that write to what they
/// return; for cond, map and while_loop. `hints`: values of symbols, by which it is decided which of two
/// symbolic strides is the larger one.
///
/// Errors: DataError if what is given does not go together, as shapes that cannot be broadcast, or the result
/// has a size that cannot be told without knowing symbols.
std::optional<std::vector<ValueType>> infer_results(const Node& node, const Operator& op, const Graph& graph,
                                                    const Bindings& hints);

}  // namespace pt2
