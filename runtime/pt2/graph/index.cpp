#include "pt2/graph/index.h"

#include <algorithm>

#include "pt2/graph/order_by_key.h"
#include "schemagen/base/counted.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"

namespace pt2 {

GraphIndex::GraphIndex(const Graph& graph) : graph_(&graph) {
  const std::size_t values = graph.tensor_values.size() + graph.sym_int_values.size();
  numbers_.reserve(values);
  definitions_.reserve(values);
  tables_.reserve(values);
  nodes_.resize(graph.nodes.size() + 1);
  define(graph.inputs, kNone);
  for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
    nodes_[i].first_output = size();
    define(graph.nodes[i].outputs, i);
  }
  nodes_.back().first_output = size();
  uses_.reserve(2 * graph.nodes.size());
  for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
    nodes_[i].first_use = static_cast<std::uint32_t>(uses_.size());
    const std::vector<NamedArgument>& inputs = graph.nodes[i].inputs;
    for (std::uint32_t input = 0; input < inputs.size(); ++input) {
      for_each_name(inputs[input], [&](const std::string& name, ValueName::Table table) {
        if (!name.empty()) uses_.push_back({input, use(name, table)});
      });
    }
  }
  nodes_.back().first_use = static_cast<std::uint32_t>(uses_.size());
  for (std::uint32_t i = 0; i < graph.outputs.size(); ++i) {
    for_each_name(graph.outputs[i], [&](const std::string& name, ValueName::Table table) {
      if (name.empty()) return;
      graph_outputs_.push_back(use(name, table));
      output_of_.push_back(i);
    });
  }
  collect_users();
}

void GraphIndex::define(const std::vector<Argument>& arguments, std::uint32_t node) {
  for (std::uint32_t output = 0; output < arguments.size(); ++output) {
    for_each_name(arguments[output], [&](const std::string& name, ValueName::Table table) {
      if (name.empty()) return;
      const std::uint32_t expected = size();
      if (numbers_.number(name) != expected) repeated_.push_back(numbers_.number_again(name));
      definitions_.push_back({node, output});
      tables_.push_back(table);
    });
  }
}

std::uint32_t GraphIndex::use(std::string_view name, ValueName::Table table) {
  const std::uint32_t value = numbers_.number(name);
  if (value == definitions_.size()) {
    definitions_.push_back({kNone, kNone});
    tables_.push_back(table);
  }
  return value;
}

void GraphIndex::collect_users() {
  first_users_.assign(size() + 1, 0);
  for (const Use& each : uses_) ++first_users_[each.value];
  for (const std::uint32_t value : graph_outputs_) ++first_users_[value];
  std::uint32_t end = 0;
  for (std::uint32_t& count : first_users_) count = end += count;
  users_.resize(end);
  // Backward, so that each value's users end up in order.
  for (std::size_t i = graph_outputs_.size(); i-- > 0;) {
    users_[--first_users_[graph_outputs_[i]]] = {kNone, output_of_[i]};
  }
  for (std::uint32_t node = node_count(); node-- > 0;) {
    for (std::uint32_t i = nodes_[node + 1].first_use; i-- > nodes_[node].first_use;) {
      users_[--first_users_[uses_[i].value]] = {node, uses_[i].input};
    }
  }
}

bool GraphIndex::is_repeated(std::uint32_t value) const {
  return std::binary_search(repeated_.begin(), repeated_.end(), value);
}

void GraphIndex::require_order(const std::string& path) const {
  const auto fail = [&](std::uint32_t value) {
    throw schemagen::DataError(
        "the value " + schemagen::quoted(name(value)) + " is defined twice or used before its definition",
        path + (is_input(value) ? ".inputs" : ".nodes"));
  };
  if (!repeated_.empty()) fail(repeated_.front());
  for (std::uint32_t node = 0; node < node_count(); ++node) {
    for (const Use& each : uses(node)) {
      if (defining_node(each.value) != kNone && defining_node(each.value) >= node) fail(each.value);
    }
  }
}

std::vector<std::uint32_t> GraphIndex::topological_order() const {
  std::vector<std::uint32_t> waiting_for(node_count(), 0);
  for (std::uint32_t node = 0; node < node_count(); ++node) {
    for (const Use& each : uses(node)) waiting_for[node] += defining_node(each.value) == kNone ? 0 : 1;
  }
  std::vector<std::uint32_t> order = order_by_key(
      std::move(waiting_for), [](std::uint32_t) { return 0; },
      [&](std::uint32_t node, const auto& visit) {
        for (auto value = outputs_begin(node); value < outputs_end(node); ++value) {
          for (const User& user : users(value)) {
            if (user.node != kNone) visit(user.node);
          }
        }
      });
  if (order.size() != node_count()) {
    throw schemagen::DataError("cannot order " + schemagen::counted(node_count() - order.size(), "node") +
                                   " because of a dependency cycle",
                               "nodes");
  }
  return order;
}

ValueMeta find_value(const Graph& graph, std::string_view name) {
  ValueMeta meta;
  if ((meta.tensor = graph.tensor_values.find(name)) != nullptr) return meta;
  if ((meta.sym_int = graph.sym_int_values.find(name)) != nullptr) return meta;
  if ((meta.sym_float = graph.sym_float_values.find(name)) != nullptr) return meta;
  if ((meta.sym_bool = graph.sym_bool_values.find(name)) != nullptr) return meta;
  meta.custom_object = graph.custom_obj_values.find(name);
  return meta;
}

ProgramIndex::ProgramIndex(const ExportedProgram& program) : signature_(program.graph_module.signature) {
  scopes_.push_back({GraphIndex(program.graph_module.graph)});
  add_scopes(program.graph_module.graph, 0);
}

void ProgramIndex::add_scopes(const Graph& graph, std::uint32_t scope) {
  std::vector<std::uint32_t> entries;
  for (std::uint32_t node = 0; node < graph.nodes.size(); ++node) {
    const std::vector<NamedArgument>& inputs = graph.nodes[node].inputs;
    for (std::uint32_t input = 0; input < inputs.size(); ++input) {
      add_scopes(inputs[input].arg, scope, node, input, entries);
    }
  }
}

void ProgramIndex::add_scopes(const Argument& argument, std::uint32_t parent, std::uint32_t node,
                              std::uint32_t input, std::vector<std::uint32_t>& entries) {
  if (const auto* const graph = argument.get_if<Argument::as_graph>()) {
    scopes_.push_back({GraphIndex(*graph->graph), graph, parent, node, input, entries});
    add_scopes(*graph->graph, static_cast<std::uint32_t>(scopes_.size() - 1));
  }
  const auto* const dict = argument.get_if<Argument::as_string_to_argument>();
  if (dict == nullptr) return;
  entries.push_back(0);
  for (const auto& entry : *dict) {
    add_scopes(entry.value, parent, node, input, entries);
    ++entries.back();
  }
  entries.pop_back();
}

std::vector<const Node*> ProgramIndex::readers(std::string_view fully_qualified_name) const {
  std::vector<const Node*> nodes;
  const std::string* const input = signature_.input_of_target(fully_qualified_name);
  const std::uint32_t value = input == nullptr ? kNone : top().find(*input);
  if (value == kNone) return nodes;
  for (const GraphIndex::User& user : top().users(value)) {
    if (user.node == kNone) continue;
    const Node* const node = &top().graph().nodes[user.node];
    if (nodes.empty() || nodes.back() != node) nodes.push_back(node);
  }
  return nodes;
}

}  // namespace pt2
