// How higher-order operators call their subgraphs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "pt2/operators/operators.h"
#include "pt2/types.h"

namespace pt2 {

/// A list input of a node whose items are operands of its subgraph.
struct OperandList {
  std::size_t input = 0;
  std::size_t times = 0;  // how often each item is passed; 0 for no list
};

/// The meaning of a subgraph's outputs.
enum class SubgraphOutputs { results, first_list, condition };

/// How a higher-order operator calls one of its subgraphs: with the items of lists, or with all inputs
/// starting from one.
struct SubgraphCall {
  std::string_view name;  // of the operator
  std::uint32_t graph;    // index of the subgraph among the inputs
  std::array<OperandList, 3> lists;
  std::size_t rest;  // the first input that is an operand; 0 if lists hold the operands
  SubgraphOutputs outputs;
  bool runs_once;  // exactly once, and its outputs are the results of the node
};

/// Returns how `op` calls its subgraphs, in order; empty if that is unknown.
std::vector<const SubgraphCall*> subgraph_calls(const Operator& op);

/// Returns the operands that `node` passes to the subgraph of `call`; nullopt if the node's inputs do not
/// match, as in older releases.
std::optional<std::vector<Argument>> operands_of(const Node& node, const SubgraphCall& call);

}  // namespace pt2
