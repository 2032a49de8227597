// What running a node may do beside giving its outputs: questions to the table of operators.
#pragma once

#include <cstddef>

#include "pt2/operators/operators.h"
#include "pt2/types.h"

namespace pt2 {

/// Whether `node` may change something, draw random numbers, or stop the program: operators that write to an
/// argument, random ones, those that the table says it of, e.g. assertions, operators that are not known, and
/// higher-order operators that take a subgraph with such a node. Node.target is all that is looked at.
bool has_effects(const Node& node, const OperatorSet& operators = {});

/// Whether `node`, which has effects, may change what the values that input `index` names hold.
bool writes_input(const Node& node, std::size_t index, const OperatorSet& operators = {});

/// Whether `node` may change how any other node runs: calls a Python function that sets a mode, or is not
/// known.
bool is_barrier(const Node& node);

/// Whether an output of `node` may share memory with the values that input `index` names: views, operators
/// that return their input where nothing is to be done, those in place, and whatever is not known.
bool may_return_view_of(const Node& node, std::size_t index, const OperatorSet& operators = {});
/// The same where the node's operator was looked up already; null: it is not known.
bool may_return_view_of(const Node& node, std::size_t index, const Operator* op);

}  // namespace pt2
