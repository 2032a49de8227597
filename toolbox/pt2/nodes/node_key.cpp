#include "pt2/nodes/node_key.h"

#include "pt2/graph/walk.h"
#include "pt2/json.h"

namespace pt2 {

Argument without_names(const Argument& argument) {
  Argument nameless;
  if (argument.is<Argument::as_graph>()) {
    nameless.emplace<Argument::as_graph>();  // avoids copying the graph
    return nameless;
  }
  nameless = argument;
  for_each_name(nameless, [](std::string& name) { name.clear(); });
  for_each_subgraph(nameless, [](GraphArgument& subgraph) { subgraph = GraphArgument(); });
  return nameless;
}

std::string node_key(const Node& node) {
  Node nameless;
  nameless.target = node.target;
  for (const NamedArgument& input : node.inputs) {
    nameless.inputs.push_back({input.name, without_names(input.arg), std::nullopt});
  }
  for (const Argument& output : node.outputs) nameless.outputs.push_back(without_names(output));
  return schemagen::to_json(nameless);
}

}  // namespace pt2
