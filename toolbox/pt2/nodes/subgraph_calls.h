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

/// A list whose items are operands of the subgraph.
struct OperandList {
  std::size_t input = 0;
  std::size_t times = 0;  // how often each item is passed; 0 if there is no list
};

enum class SubgraphOutputs { results, first_list, condition };

/// A call of a subgraph with the items of lists, or with all inputs starting at one of them.
struct SubgraphCall {
  std::string_view operators;  // names of higher-order operators
  std::uint32_t graph;         // the input that holds the subgraph
  bool runs_once;    // whether the subgraph runs exactly once and its outputs are the node's results
  std::size_t rest;  // the first operand; 0 if lists hold the operands
  std::array<OperandList, 3> lists = {};
  SubgraphOutputs outputs = SubgraphOutputs::results;
};

std::vector<const SubgraphCall*> subgraph_calls(const Operator& op);

/// Returns the operands, or nullopt if the node's inputs do not match, as in older releases.
std::optional<std::vector<Argument>> operands_of(const Node& node, const SubgraphCall& call);

}  // namespace pt2
