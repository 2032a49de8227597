// Which node of a graph defines a value, and which ones use it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pt2/graph/name_numbers.h"
#include "pt2/types.h"

namespace pt2 {

/// The values of a graph as numbers, in the order in which they are defined: first the graph's inputs, then
/// what its nodes give. Names that nothing defines have numbers too. Subgraphs are not looked into.
class GraphValues {
 public:
  static constexpr std::uint32_t kNone = NameNumbers::kNone;

  /// The graph must outlive this, and keep its names. `path` is that of the graph, for messages.
  /// Errors: DataError if a value is defined twice, or used before it is defined.
  GraphValues(const Graph& graph, const std::string& path);

  /// A place in a node's inputs that names a value.
  struct Use {
    std::uint32_t input;  // index in Node.inputs
    std::uint32_t value;
  };
  const Use* uses_begin(std::uint32_t node) const { return uses_.data() + nodes_[node].first_use; }
  const Use* uses_end(std::uint32_t node) const { return uses_.data() + nodes_[node + 1].first_use; }

  /// The values that the graph's inputs define are those below this.
  std::uint32_t inputs_end() const { return inputs_end_; }

  /// The values that a node defines are numbered in a row.
  std::uint32_t outputs_begin(std::uint32_t node) const { return nodes_[node].first_output; }
  std::uint32_t outputs_end(std::uint32_t node) const { return nodes_[node].last_output; }

  /// The node that defines a value; kNone: the graph's inputs do, or nothing.
  std::uint32_t defining_node(std::uint32_t value) const { return defining_nodes_[value]; }

  /// How many values there are, those that nothing defines included.
  std::uint32_t size() const { return static_cast<std::uint32_t>(defining_nodes_.size()); }

  /// What the graph's outputs name, in order.
  const std::vector<std::uint32_t>& graph_outputs() const { return graph_outputs_; }

 private:
  struct NodeValues {
    std::uint32_t first_use = 0;
    std::uint32_t first_output = 0;
    std::uint32_t last_output = 0;  // one after
  };

  std::uint32_t number(const std::string& name);
  void define(const Argument& argument, std::uint32_t node, const std::string& path);

  NameNumbers numbers_;
  std::vector<std::uint32_t> defining_nodes_;  // by value
  std::uint32_t inputs_end_ = 0;
  std::vector<NodeValues> nodes_;  // and one more, as the end of the last
  std::vector<Use> uses_;
  std::vector<std::uint32_t> graph_outputs_;
};

}  // namespace pt2
