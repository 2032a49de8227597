#include "pt2/compare/normal_program.h"

#include <cstddef>
#include <utility>
#include <vector>

#include "pt2/compare/node_order.h"
#include "pt2/compare/symbol_renaming.h"
#include "pt2/compare/unordered_parts.h"
#include "pt2/compare/value_renaming.h"
#include "pt2/graph/value_slots.h"
#include "pt2/graph/walk.h"

namespace pt2 {
namespace {

using Names = schemagen::Map<std::string>;

void collect_names(const Argument& argument, std::vector<const std::string*>& names) {
  for_each_slot(argument, [&](const std::string* name, ValueName::Table) {
    if (name != nullptr) names.push_back(name);
  });
}

/// The names of a graph's values, each at least once, in the same order however they are called.
std::vector<const std::string*> value_names(const Graph& graph) {
  std::vector<const std::string*> names;
  for (const Argument& input : graph.inputs) collect_names(input, names);
  for (const Node& node : graph.nodes) {
    for (const Argument& output : node.outputs) collect_names(output, names);
    for (const NamedArgument& input : node.inputs) {
      collect_names(input.arg, names);
      for_each_subgraph(input.arg, [&](const GraphArgument& subgraph) { names.push_back(&subgraph.name); });
    }
  }
  for (const Argument& output : graph.outputs) collect_names(output, names);
  return names;
}

std::vector<const Graph*> subgraphs(const Node& node) {
  std::vector<const Graph*> graphs;
  for_each_subgraph(node, [&](const GraphArgument& subgraph) { graphs.push_back(&*subgraph.graph); });
  return graphs;
}

/// Adds the names of `renamed` and its subgraphs; `original` is the same graph with the names of its file.
void add_names(std::map<const Graph*, Names>& names, const Graph& original, const Graph& renamed) {
  const std::vector<const std::string*> old_names = value_names(original);
  const std::vector<const std::string*> new_names = value_names(renamed);
  Names& table = names[&renamed];
  for (std::size_t i = 0; i < new_names.size(); ++i) table[*new_names[i]] = *old_names[i];
  for (std::size_t i = 0; i < renamed.nodes.size(); ++i) {
    const std::vector<const Graph*> old_graphs = subgraphs(original.nodes[i]);
    const std::vector<const Graph*> new_graphs = subgraphs(renamed.nodes[i]);
    for (std::size_t j = 0; j < new_graphs.size(); ++j) add_names(names, *old_graphs[j], *new_graphs[j]);
  }
}

}  // namespace

NormalProgram normal_program(ExportedProgram program) {
  sort_unordered(program, Provenance::drop);
  order_nodes(program);
  const ExportedProgram original = program;
  rename_values(program.graph_module);
  rename_symbols(program);
  NormalProgram normal{std::move(program), {}};
  const GraphModule& module = normal.program.graph_module;
  add_names(normal.names, original.graph_module.graph, module.graph);
  for (std::size_t i = 0; i < module.signature.input_specs.size(); ++i) {
    const auto* const constant = module.signature.input_specs[i].get_if<InputSpec::constant_input>();
    if (constant == nullptr) continue;
    normal.names[&module.graph][constant->name] =
        original.graph_module.signature.input_specs[i].get<InputSpec::constant_input>().name;
  }
  return normal;
}

}  // namespace pt2
