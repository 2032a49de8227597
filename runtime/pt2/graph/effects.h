// What running a node may do beside giving its outputs.
#pragma once

#include <cstddef>

#include "pt2/types.h"

namespace pt2 {

/// Whether `node` may change something, draw random numbers, or stop the program: operators in place and with
/// `out`, random ones, assertions, prints, whatever is not known to be pure, and operators that take a
/// subgraph with such a node. Pure are operators of aten and prims that are none of these, `_operator`,
/// `math`, symbolic functions of torch, and the higher-order operators that only run their subgraphs. Source:
/// the schemas and tags of torch 2.13's operators; Node.target is all that is looked at.
bool has_effects(const Node& node);

/// Whether `node`, which has effects, may change what the values that input `index` names hold.
bool writes_input(const Node& node, std::size_t index);

/// Whether `node` may change how any other node runs, as what is no operator may, e.g. a Python function that
/// sets a mode.
bool is_barrier(const Node& node);

/// Whether an output of `node` may share memory with the values that input `index` names: views, operators
/// that return their input where nothing is to be done, those in place, and whatever is not known.
bool may_return_view_of(const Node& node, std::size_t index);

}  // namespace pt2
