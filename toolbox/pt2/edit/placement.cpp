#include "pt2/edit/placement.h"

#include <algorithm>
#include <iterator>

#include "schemagen/base/counted.h"
#include "schemagen/base/error.h"

namespace pt2 {
Graph placed(Graph part, const std::vector<Argument>& inputs, FreshNames& names, const ValueNames& given) {
  if (part.inputs.size() != inputs.size()) {
    throw schemagen::UsageError("expected " + schemagen::counted(part.inputs.size(), "input") +
                                " for the graph, got " + std::to_string(inputs.size()));
  }
  Substitutes substitutes;
  ValueNames new_names;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::string* const name = value_of(part.inputs[i]);
    if (name != nullptr) substitutes[*name] = inputs[i];
  }
  const auto renamed = [&](const std::string& name) {
    const auto [new_name, is_new] = new_names.try_emplace(name);
    const std::string* const wanted = is_new ? given.find(name) : nullptr;
    if (is_new) *new_name = wanted != nullptr ? *wanted : names.take(name);
    return std::string(*new_name);
  };
  for (Node& node : part.nodes) {
    // Names that the part defines only later refer to the surrounding graph.
    for (NamedArgument& input : node.inputs) substitute(substitutes, input.arg);
    for_each_subgraph(node, [&](GraphArgument& subgraph) { subgraph.name = names.take(subgraph.name); });
    for (Argument& output : node.outputs) {
      for_each_name(output, [&](std::string& name, ValueName::Table table) {
        const std::string old_name = std::exchange(name, renamed(name));
        const auto* const object = output.get_if<Argument::as_custom_obj>();
        substitutes[old_name] = object != nullptr ? Argument(*object) : value_argument(table, name);
      });
    }
    if (node.name) node.name = renamed(*node.name);
  }
  substitute(substitutes, part.outputs);
  Graph placed;
  for_each_table(part, placed, [&](auto& old, auto& table, ValueName::Table) {
    for (auto& [name, entry] : old) {
      const std::string* const new_name = new_names.find(name);
      if (new_name != nullptr) table.insert(*new_name, std::move(entry));
    }
  });
  placed.nodes = std::move(part.nodes);
  placed.outputs = std::move(part.outputs);
  return placed;
}

schemagen::Map<bool> node_results(const std::vector<Node>& nodes) {
  schemagen::Map<bool> names;
  for (const Node& node : nodes) {
    for_each_name(node.outputs, [&](const std::string& name) { names.try_emplace(name); });
  }
  return names;
}

void require_node(const Graph& graph, std::size_t at) {
  if (at < graph.nodes.size()) return;
  throw schemagen::UsageError("node " + std::to_string(at) + " is out of range: the graph has " +
                              schemagen::counted(graph.nodes.size(), "node"));
}

void add_values(Graph& graph, const Graph& from) {
  for_each_table(from, graph, [](const auto& entries, auto& table, ValueName::Table) {
    for (const auto& [name, entry] : entries) table.insert(name, entry);
  });
}

void remove_values(Graph& graph, const schemagen::Map<bool>& names) {
  if (names.empty()) return;
  for_each_table(graph, [&](auto& table, ValueName::Table) {
    std::decay_t<decltype(table)> kept;
    kept.reserve(table.size());
    for (auto& [name, entry] : table) {
      if (!names.contains(name)) *kept.try_emplace(name).first = std::move(entry);
    }
    table = std::move(kept);
  });
}

std::size_t replace_nodes(ExportedProgram& program, Graph& graph, const Substitutes& passed_on,
                          const std::function<NewNodes(Node& node, std::size_t at)>& replacement) {
  std::vector<Node> nodes;
  schemagen::Map<bool> gone;
  std::size_t count = 0;
  for (std::size_t at = 0; at < graph.nodes.size(); ++at) {
    Node& node = graph.nodes[at];
    for (NamedArgument& input : node.inputs) substitute(passed_on, input.arg);
    NewNodes made = replacement(node, at);
    if (!made) {
      nodes.push_back(std::move(node));
      continue;
    }
    ++count;
    const schemagen::Map<bool> defined = node_results(*made);
    for_each_name(node.outputs, [&](const std::string& name) {
      if (!defined.contains(name)) gone.try_emplace(name);
    });
    std::move(made->begin(), made->end(), std::back_inserter(nodes));
  }
  graph.nodes = std::move(nodes);
  remove_values(graph, gone);
  replace_output_uses(program, graph, passed_on);
  return count;
}

}  // namespace pt2
