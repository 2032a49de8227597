#include "pt2/canonical/torch_values.h"

#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"

namespace pt2 {

void torch_refuses(const std::string& reason, const std::string& path) {
  throw schemagen::DataError("torch cannot canonicalize the program: " + reason, path);
}

std::string torch_symbol(std::string_view name) {
  return "symbol " + schemagen::quoted(name);
}

TorchValues::TorchValues(const Graph& graph, const std::string& path) {
  number_definitions(graph, path);
  number_uses(graph, path);
}

TorchValues::Number TorchValues::number(const std::string& name) {
  const Number number = numbers_.number(name);
  if (number == names_.size()) {
    names_.push_back(name);
    defining_.push_back(kNone);
    is_input_.push_back(false);
  }
  return number;
}

void TorchValues::number_definitions(const Graph& graph, const std::string& path) {
  numbers_.reserve(graph.tensor_values.size() + graph.sym_int_values.size() + graph.nodes.size() / 4);
  for (const Argument& input : graph.inputs) {
    for_each_torch_slot(input, path + ".inputs", [&](const std::string* name, ValueName::Table) {
      if (is_name(name)) is_input_[number(*name)] = true;
    });
  }
  for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
    for (const Argument& output : graph.nodes[i].outputs) {
      for_each_torch_slot(output, path, [&](const std::string* name, ValueName::Table) {
        if (!is_name(name)) return;
        std::uint32_t& node = defining_[number(*name)];
        if (node != kNone) torch_refuses(torch_symbol(*name) + " already in def_table", path);
        node = i;
      });
    }
  }
}

void TorchValues::number_uses(const Graph& graph, const std::string& path) {
  for (const Node& node : graph.nodes) {
    node_arguments_.push_back(static_cast<std::uint32_t>(argument_slots_.size()));
    for (const NamedArgument& input : node.inputs) {
      argument_slots_.push_back(static_cast<std::uint32_t>(slots_.size()));
      for_each_torch_slot(input.arg, path, [&](const std::string* name, ValueName::Table) {
        slots_.push_back(is_name(name) ? number(*name) : kNone);
        if (slots_.back() == kNone) return;
        if (defining_[slots_.back()] == kNone && !is_input_[slots_.back()]) {
          torch_refuses(torch_symbol(*name) + " not in def_table or graph_inputs", path);
        }
      });
    }
  }
  node_arguments_.push_back(static_cast<std::uint32_t>(argument_slots_.size()));
  argument_slots_.push_back(static_cast<std::uint32_t>(slots_.size()));
}

}  // namespace pt2
