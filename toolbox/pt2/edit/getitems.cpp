#include "pt2/edit/passes.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pt2/edit/graph.h"
#include "pt2/edit/placement.h"
#include "pt2/graph/walk.h"
#include "pt2/nodes/list_items.h"

namespace pt2 {
namespace {

std::optional<Argument> picked_item(const Node& node) {
  if (node.target != "_operator.getitem" || node.inputs.size() != 2 || node.outputs.size() != 1) {
    return std::nullopt;
  }
  const std::optional<std::vector<Argument>> items = items_of(node.inputs[0].arg);
  const std::int64_t* const number = node.inputs[1].arg.get_if<Argument::as_int>();
  if (!items || number == nullptr) return std::nullopt;
  const auto size = static_cast<std::int64_t>(items->size());
  const std::int64_t at = *number < 0 ? *number + size : *number;
  if (at < 0 || at >= size) return std::nullopt;
  const Argument& item = (*items)[static_cast<std::size_t>(at)];
  const bool is_alike = value_of(item) != nullptr && item.kind() == node.outputs[0].kind();
  return is_alike ? std::optional(item) : std::nullopt;
}

std::size_t fold(ExportedProgram& program, Graph& graph) {
  std::size_t count = 0;
  std::vector<Node> kept;
  Substitutes items;
  schemagen::Map<bool> gone;
  for (Node& node : graph.nodes) {
    for_each_subgraph(node, [&](GraphArgument& subgraph) { count += fold(program, *subgraph.graph); });
    for (NamedArgument& input : node.inputs) substitute(items, input.arg);
    std::optional<Argument> item = picked_item(node);
    if (!item) {
      kept.push_back(std::move(node));
      continue;
    }
    const std::string& result = *value_of(node.outputs[0]);
    gone.try_emplace(result);
    items[result] = *std::move(item);
    ++count;
  }
  graph.nodes = std::move(kept);
  remove_values(graph, gone);
  replace_output_uses(program, graph, items);
  return count;
}

}  // namespace

std::size_t fold_getitems(ExportedProgram& program) {
  return fold(program, program.graph_module.graph);
}

}  // namespace pt2
