// Side effects and aliasing of nodes, from the table of operators.
#pragma once

#include <cstddef>

#include "pt2/operators/operators.h"
#include "pt2/types.h"

namespace pt2 {

/// Whether `node` may change state, draw random numbers or stop the program. This includes operators that
/// write to an argument, random operators, operators the table marks (assertions), unknown operators, and
/// higher-order operators with such a node in a subgraph. Only Node.target is considered.
bool has_effects(const Node& node, const OperatorSet& operators = {});

/// Whether `node`, which has effects, may write to the values in input `index`.
bool writes_input(const Node& node, std::size_t index, const OperatorSet& operators = {});

/// Whether `node` may change how other nodes run: it calls a Python function that sets a mode or is unknown.
bool is_barrier(const Node& node);

/// Whether an output of `node` may share memory with the values in input `index`: views, operators that may
/// return their input, in-place operators and unknown operators.
bool may_return_view_of(const Node& node, std::size_t index, const OperatorSet& operators = {});
/// The same for an operator that was already looked up; null if it is unknown.
bool may_return_view_of(const Node& node, std::size_t index, const Operator* op);

}  // namespace pt2
