#include "pt2/edit/placement.h"

#include <type_traits>
#include <utility>

#include "pt2/graph/walk.h"
#include "schemagen/base/counted.h"
#include "schemagen/base/error.h"

namespace pt2 {
namespace {

class Placement {
 public:
  Placement(FreshNames& names, const ValueNames& given) : names_(names), given_(given) {}

  void bind_inputs(const Graph& part, const std::vector<Argument>& inputs) {
    if (part.inputs.size() != inputs.size()) {
      throw schemagen::UsageError("expected " + schemagen::counted(part.inputs.size(), "input") +
                                  " for the graph, got " + std::to_string(inputs.size()));
    }
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const std::string* const name = value_of(part.inputs[i]);
      if (name != nullptr) substitutes_[*name] = inputs[i];
    }
  }

  /// Names that the part defines only later refer to the surrounding graph.
  void place(Node& node) {
    for (NamedArgument& input : node.inputs) use(input.arg);
    for_each_subgraph(node, [&](GraphArgument& subgraph) { subgraph.name = names_.take(subgraph.name); });
    for (Argument& output : node.outputs) define(output);
    if (node.name) node.name = new_name(*node.name);
  }

  void use(Argument& argument) const { substitute(substitutes_, argument); }

  const ValueNames& new_names() const { return new_names_; }

 private:
  const std::string& new_name(const std::string& name) {
    const auto [new_name, is_new] = new_names_.try_emplace(name);
    if (is_new) {
      const std::string* const given = given_.find(name);
      *new_name = given != nullptr ? *given : names_.take(name);
    }
    return *new_name;
  }

  void define(Argument& argument) {
    for_each_name(argument, [&](std::string& name, ValueName::Table table) {
      const std::string old_name = name;
      name = new_name(old_name);
      const auto* const object = argument.get_if<Argument::as_custom_obj>();
      substitutes_[old_name] = object != nullptr ? Argument(*object) : value_argument(table, name);
    });
  }

  FreshNames& names_;
  const ValueNames& given_;
  ValueNames new_names_;
  Substitutes substitutes_;
};

}  // namespace

Graph placed(Graph part, const std::vector<Argument>& inputs, FreshNames& names, const ValueNames& given) {
  Placement placement(names, given);
  placement.bind_inputs(part, inputs);
  for (Node& node : part.nodes) placement.place(node);
  for (Argument& output : part.outputs) placement.use(output);
  Graph placed;
  for_each_table(part, placed, [&](auto& old, auto& table, ValueName::Table) {
    for (auto& [name, entry] : old) {
      const std::string* const new_name = placement.new_names().find(name);
      if (new_name != nullptr) table.insert(*new_name, std::move(entry));
    }
  });
  placed.nodes = std::move(part.nodes);
  placed.outputs = std::move(part.outputs);
  return placed;
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

}  // namespace pt2
