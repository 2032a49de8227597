#include "pt2/canonical/original_names.h"

#include <cstddef>

#include "pt2/graph/signature.h"
#include "pt2/graph/walk.h"

namespace pt2 {
namespace {

NamesInOrder names_of(const Graph& graph) {
  NamesInOrder found;
  const auto add = [&](const std::string& name) { found.names.push_back(name); };
  for_each_name(graph.inputs, add);
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    for_each_name(node.outputs, add);
    for_each_name(node.inputs, add);
    for_each_subgraph(node, [&](const GraphArgument& subgraph) {
      found.names.push_back(subgraph.name);
      found.subgraphs[i].push_back(names_of(*subgraph.graph));
    });
  }
  for_each_name(graph.outputs, add);
  return found;
}

}  // namespace

NamesInOrder names_in_order(const GraphModule& module) {
  NamesInOrder found = names_of(module.graph);
  for (const InputSpec& spec : module.signature.input_specs) {
    const auto parts = parts_of(spec);
    if (parts.constant != nullptr && parts.name != nullptr) found.names.push_back(*parts.name);
  }
  return found;
}

OriginalNames original_names(const NamesInOrder& renamed, const NamesInOrder& original) {
  OriginalNames table;
  table.names.reserve(renamed.names.size());
  for (std::size_t i = 0; i < renamed.names.size(); ++i) table.names[renamed.names[i]] = original.names[i];
  for (const auto& [node, graphs] : renamed.subgraphs) {
    for (std::size_t i = 0; i < graphs.size(); ++i) {
      table.subgraphs[node].push_back(original_names(graphs[i], original.subgraphs.at(node)[i]));
    }
  }
  return table;
}

}  // namespace pt2
