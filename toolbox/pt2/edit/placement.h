#pragma once

#include <functional>
#include <optional>

#include "pt2/edit/graph.h"
#include "pt2/graph/signature.h"

namespace pt2 {

using ValueNames = schemagen::Map<std::string>;

/// Returns `part` with its values renamed for insertion into a graph whose names are `names`. `inputs`
/// replace the inputs of `part`. The values that `part` defines get their names from `given`, or unused names
/// if `given` has none. All other names are values of the graph. Throws UsageError if the number of inputs
/// differs or if an input is of the wrong kind.
Graph placed(Graph part, const std::vector<Argument>& inputs, FreshNames& names,
             const ValueNames& given = {});

/// Returns the names of the values that the nodes define.
schemagen::Map<bool> node_results(const std::vector<Node>& nodes);

void require_node(const Graph& graph, std::size_t at);

void add_values(Graph& graph, const Graph& from);

void remove_values(Graph& graph, const schemagen::Map<bool>& names);

/// Makes `argument` the value of the input or output that `spec` describes. Returns parts_of(spec).
template <class Spec>
SpecParts<Spec> set_value(Spec& spec, const Argument& argument) {
  const SpecParts<Spec> parts = parts_of(spec);
  const std::string* const name = value_of(argument);
  if (parts.argument != nullptr) *parts.argument = argument;
  if (parts.argument == nullptr && parts.name != nullptr && name != nullptr) *parts.name = *name;
  return parts;
}

/// Calls `visit(graph)` for all graphs, the subgraphs of a graph before the graph, which `visit` may change.
template <class Visit>
void for_each_graph_inside_out(Graph& graph, const Visit& visit) {
  for (Node& node : graph.nodes) {
    for_each_subgraph(node, [&](GraphArgument& inner) { for_each_graph_inside_out(*inner.graph, visit); });
  }
  visit(graph);
}

/// The nodes that replace a node, or nullopt to keep it.
using NewNodes = std::optional<std::vector<Node>>;

/// Replaces nodes of `graph` with what `replacement` returns for them, in order. `at` is the node's index.
/// Results that no new node defines are removed, and their uses in other nodes and in outputs get the values
/// of `passed_on`, to which `replacement` can add. Returns the number of replaced nodes.
std::size_t replace_nodes(ExportedProgram& program, Graph& graph, const Substitutes& passed_on,
                          const std::function<NewNodes(Node& node, std::size_t at)>& replacement);

}  // namespace pt2
