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

/// A list among a node's inputs whose items are operands of its subgraph.
struct OperandList {
  std::size_t input = 0;
  std::size_t times = 0;  // how often each item is one; 0: there is no such list
};

/// What a subgraph has an output for.
enum class SubgraphOutputs { results, first_list, condition };

/// How a higher-order operator calls one of its subgraphs: with the items of lists, or with all inputs from
/// one on.
struct SubgraphCall {
  std::string_view name;  // of the operator
  std::uint32_t graph;    // the input that it is
  std::array<OperandList, 3> lists;
  std::size_t rest;  // the first input of those that are operands; 0: lists hold them
  SubgraphOutputs outputs;
  bool runs_once;  // and what it gives are the results of the node, in whichever mode they are computed
};

/// The calls of subgraphs by `op`, in order; empty if nothing is known of it.
std::vector<const SubgraphCall*> subgraph_calls(const Operator& op);

/// What the subgraph of `call` gets as its inputs where `node` calls it. nullopt: the node has no such
/// inputs, as an older release called the operator with something else.
std::optional<std::vector<Argument>> operands_of(const Node& node, const SubgraphCall& call);

}  // namespace pt2
