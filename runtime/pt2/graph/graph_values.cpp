#include "pt2/graph/graph_values.h"

#include <cstddef>

#include "pt2/graph/value_slots.h"
#include "schemagen/value/error.h"
#include "schemagen/value/quote.h"

namespace pt2 {

GraphValues::GraphValues(const Graph& graph, const std::string& path) {
  numbers_.reserve(graph.tensor_values.size() + graph.sym_int_values.size());
  nodes_.reserve(graph.nodes.size() + 1);
  for (const Argument& input : graph.inputs) define(input, kNone, path + ".inputs");
  inputs_end_ = size();
  for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    NodeValues values;
    values.first_use = static_cast<std::uint32_t>(uses_.size());
    for (std::uint32_t input = 0; input < node.inputs.size(); ++input) {
      for_each_slot(node.inputs[input].arg, [&](const std::string* name, ValueName::Table) {
        if (name != nullptr && !name->empty()) uses_.push_back({input, number(*name)});
      });
    }
    values.first_output = size();
    for (const Argument& output : node.outputs) define(output, i, path + ".nodes");
    values.last_output = size();
    nodes_.push_back(values);
  }
  nodes_.push_back({static_cast<std::uint32_t>(uses_.size()), size(), size()});
  for (const Argument& output : graph.outputs) {
    for_each_slot(output, [&](const std::string* name, ValueName::Table) {
      if (name != nullptr && !name->empty()) graph_outputs_.push_back(number(*name));
    });
  }
}

std::uint32_t GraphValues::number(const std::string& name) {
  const std::uint32_t number = numbers_.number(name);
  if (number == defining_nodes_.size()) defining_nodes_.push_back(kNone);
  return number;
}

void GraphValues::define(const Argument& argument, std::uint32_t node, const std::string& path) {
  for_each_slot(argument, [&](const std::string* name, ValueName::Table) {
    if (name == nullptr || name->empty()) return;
    const std::uint32_t known = size();
    const std::uint32_t value = number(*name);
    if (value != known) {
      throw schemagen::DataError(
          "the value " + schemagen::quoted(*name) + " is defined twice, or used before it is defined", path);
    }
    defining_nodes_[value] = node;
  });
}

}  // namespace pt2
