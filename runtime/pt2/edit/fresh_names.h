// Names that a graph does not have yet. All functions may be called from several threads at once.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "pt2/graph/value_slots.h"
#include "pt2/types.h"
#include "schemagen/value/map.h"

namespace pt2 {

/// Calls `visit(name)` for what shares a namespace in torch: the values that `graph` defines, and its nodes.
template <class Visit>
void for_each_defined_name(const Graph& graph, const Visit& visit) {
  for_each_name(graph.inputs, visit);
  for (const Node& node : graph.nodes) {
    for_each_name(node.outputs, visit);
    if (node.name) visit(*node.name);
  }
}

/// The names of a graph's values, nodes and subgraphs, and new ones.
class FreshNames {
 public:
  explicit FreshNames(const Graph& graph);

  /// Takes `name` as it is; whether it was free.
  bool claim(const std::string& name) { return taken_.try_emplace(name).second; }

  /// `wanted`, or if that is taken, or Python's (`sum`), what it begins with and the next number, as torch
  /// counts: `add`, `add_1`, `add_2`. It is taken from now on. Amortized O(1).
  std::string take(std::string_view wanted);

 private:
  schemagen::Map<bool> taken_;
  schemagen::Map<std::size_t> counts_;  // the last number that follows a name
};

}  // namespace pt2
