#pragma once

#include "pt2/graph/index.h"
#include "pt2/operators/operators.h"

namespace pt2 {

/// Returns whether `node` might change state, draw random numbers or stop the program. This is true for
/// operators that write to an argument, random operators, operators that the table marks (e.g. assertions),
/// unknown operators, and higher-order operators with such a node in a subgraph. Considers only Node.target.
bool has_effects(const Node& node, const OperatorSet& operators = {});

/// `op` is the node's operator, or null if it is unknown.
bool writes_input(const Node& node, std::size_t index, const Operator* op);

/// Returns whether `node` might change how other nodes run, because it calls a Python function that sets a
/// mode or is unknown.
bool is_barrier(const Node& node);

/// Returns whether a result of `node` might share memory with an input. This is true for views, operators
/// that can return their input, in-place operators and unknown operators.
bool may_return_view_of(const Node& node, std::size_t index, const Operator* op);

/// Groups the values of a graph that might share memory, as may_return_view_of() says. Takes linear time.
class MemoryGroups {
 public:
  MemoryGroups(const GraphIndex& values, const OperatorSet& operators);

  /// Returns the value that stands for the group of `value`.
  std::uint32_t find(std::uint32_t value) {
    while (parents_[value] != value) value = parents_[value] = parents_[parents_[value]];
    return value;
  }

 private:
  std::vector<std::uint32_t> parents_;  // by value
};

}  // namespace pt2
