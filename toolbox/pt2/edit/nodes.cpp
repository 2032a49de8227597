#include "pt2/edit/graph.h"

#include <iterator>
#include <utility>

#include "pt2/edit/placement.h"
#include "pt2/graph/walk.h"
#include "pt2/nodes/argument_fit.h"
#include "pt2/operators/operator_schema.h"
#include "pt2/schema_info.h"
#include "schemagen/base/counted.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

[[noreturn]] void cannot_edit(const std::string& message) {
  throw schemagen::UsageError(message);
}

schemagen::Map<bool> names_before(const Graph& graph, std::size_t at) {
  schemagen::Map<bool> names;
  const auto add = [&](const std::string& name) { names.try_emplace(name); };
  for_each_name(graph.inputs, add);
  for (std::size_t i = 0; i < at; ++i) for_each_name(graph.nodes[i].outputs, add);
  return names;
}

void require_names(const Argument& argument, const schemagen::Map<bool>& names) {
  for_each_slot(argument, [&](const std::string* name, ValueName::Table table) {
    if (name == nullptr || names.contains(*name)) return;
    if (table == ValueName::Table::custom_objects) return;
    cannot_edit("the value " + schemagen::quoted(*name) + " is not defined at this node");
  });
}

using Inputs = std::vector<NamedArgument>;

std::size_t position_of(const Operator& op, const Inputs& inputs, std::size_t input) {
  return inputs[input].name.empty() ? input : argument_position(op, inputs[input].name);
}

/// Positional only if all arguments before it are given.
void add_input(const Operator& op, std::size_t position, Argument value, Inputs& inputs) {
  std::size_t at = 0;
  while (at < inputs.size() && position_of(op, inputs, at) < position) ++at;
  NamedArgument input;
  input.name = op.arguments[position].name;
  input.arg = std::move(value);
  if (inputs.empty() || inputs.front().kind) {
    const bool is_keyword = op.arguments[position].is_keyword_only || at != position ||
                            (at > 0 && inputs[at - 1].kind == ArgumentKind::KEYWORD);
    input.kind = is_keyword ? ArgumentKind::KEYWORD : ArgumentKind::POSITIONAL;
  }
  inputs.insert(inputs.begin() + static_cast<std::ptrdiff_t>(at), std::move(input));
}

}  // namespace

std::vector<Argument> insert_before(Graph& graph, std::size_t at, const Graph& part,
                                    const std::vector<Argument>& inputs) {
  if (at > graph.nodes.size()) require_node(graph, at);
  FreshNames names(graph);
  Graph made = placed(part, inputs, names);
  schemagen::Map<bool> known = names_before(graph, at);
  for (const Node& node : made.nodes) {
    for (const NamedArgument& input : node.inputs) require_names(input.arg, known);
    for_each_name(node.outputs, [&](const std::string& name) { known.try_emplace(name); });
  }
  graph.nodes.insert(graph.nodes.begin() + static_cast<std::ptrdiff_t>(at),
                     std::make_move_iterator(made.nodes.begin()), std::make_move_iterator(made.nodes.end()));
  add_values(graph, made);
  return std::move(made.outputs);
}

std::vector<Argument> insert_after(Graph& graph, std::size_t at, const Graph& part,
                                   const std::vector<Argument>& inputs) {
  require_node(graph, at);
  return insert_before(graph, at + 1, part, inputs);
}

Graph graph_of_node(Node node, const std::vector<TensorMeta>& results) {
  Graph graph;
  std::size_t count = 0;
  for_each_name(node.outputs, [&](const std::string& name) {
    if (count < results.size()) graph.tensor_values.insert(name, results[count]);
    graph.outputs.emplace_back(TensorArgument{name});
    ++count;
  });
  if (count != results.size()) {
    cannot_edit("expected types for " + schemagen::counted(count, "result") + ", got " +
                std::to_string(results.size()));
  }
  graph.nodes.push_back(std::move(node));
  return graph;
}

void erase_node(ExportedProgram& program, Graph& graph, std::size_t at) {
  require_node(graph, at);
  schemagen::Map<bool> gone;
  for_each_name(graph.nodes[at].outputs, [&](const std::string& name) {
    const std::vector<std::string> users = users_of(program, graph, name);
    if (!users.empty()) {
      cannot_edit("cannot erase a node: its result " + schemagen::quoted(name) + " is used by " +
                  users_text(users));
    }
    gone.try_emplace(name);
  });
  graph.nodes.erase(graph.nodes.begin() + static_cast<std::ptrdiff_t>(at));
  remove_values(graph, gone);
}

void set_argument(Graph& graph, std::size_t at, std::string_view name, Argument value,
                  const OperatorSet& operators) {
  require_node(graph, at);
  Node& node = graph.nodes[at];
  const Operator* const op = operators.find(node.target);
  const std::string asked =
      "cannot set the argument " + schemagen::quoted(name) + " of " + schemagen::quoted(node.target) + ": ";
  if (op == nullptr || op->kind == OperatorKind::higher_order) cannot_edit(asked + "its schema is unknown");
  const std::size_t position = argument_position(*op, name);
  if (position == op->arguments.size())
    cannot_edit(asked + "its schema has no such argument: " + schema_text(*op));
  const OperatorType& type = op->arguments[position].type;
  if (!fits(value, type)) {
    cannot_edit(asked + "expected " + schema_text(type) + ", got " + std::string(name_of(value.kind())));
  }
  require_names(value, names_before(graph, at));
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    if (position_of(*op, node.inputs, i) == position) {
      node.inputs[i].arg = std::move(value);
      return;
    }
  }
  add_input(*op, position, std::move(value), node.inputs);
}

}  // namespace pt2
