#include "pt2/analysis/graph/node_key.h"

#include "pt2/json.h"
#include "pt2/versions/graph/walk.h"

namespace pt2 {
namespace {

Argument without_names(const Argument& argument) {
  Argument nameless;
  if (argument.is<Argument::as_graph>()) {
    nameless.emplace<Argument::as_graph>();  // what it holds is not copied
    return nameless;
  }
  nameless = argument;
  for_each_slot(nameless, [](std::string* name, ValueName::Table) {
    if (name != nullptr) name->clear();
  });
  for_each_subgraph(nameless, [](GraphArgument& subgraph) { subgraph = GraphArgument(); });
  return nameless;
}

}  // namespace

std::string node_key(const Node& node) {
  Node nameless;
  nameless.target = node.target;
  for (const NamedArgument& input : node.inputs) {
    nameless.inputs.push_back({input.name, without_names(input.arg), ArgumentKind::UNKNOWN});
  }
  for (const Argument& output : node.outputs) nameless.outputs.push_back(without_names(output));
  return schemagen::to_json(nameless);
}

}  // namespace pt2
