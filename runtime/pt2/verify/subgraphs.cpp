// Subgraphs: they take and give as many values as the node that has them.
#include "pt2/graph/walk.h"
#include "pt2/schema_info.h"
#include "pt2/verify/check.h"

namespace pt2 {
namespace {

/// How many operands an argument is: the length of a list.
std::size_t operand_count(const Argument& argument) {
  if (const auto* ints = argument.get_if<Argument::as_ints>()) return ints->size();
  if (const auto* floats = argument.get_if<Argument::as_floats>()) return floats->size();
  if (const auto* bools = argument.get_if<Argument::as_bools>()) return bools->size();
  if (const auto* strings = argument.get_if<Argument::as_strings>()) return strings->size();
  std::size_t count = 0;
  for_each_slot(argument, [&](const auto*, ValueName::Table) { ++count; });
  return count;
}

/// How many results a node has: lists count with all that is in them.
std::size_t result_count(const Node& node) {
  std::size_t count = 0;
  for (const Argument& output : node.outputs) {
    for_each_slot(output, [&](const auto*, ValueName::Table) { ++count; });
  }
  return count;
}

/// The graph of a node's input; null if it is none.
const Graph* graph_at(const Node& node, std::size_t input) {
  if (input >= node.inputs.size()) return nullptr;
  const auto* const argument = node.inputs[input].arg.get_if<Argument::as_graph>();
  return argument == nullptr ? nullptr : &*argument->graph;
}

class SubgraphCheck {
 public:
  SubgraphCheck(Check& check, const Check::Scope& scope, std::uint32_t node)
      : check_(check), scope_(scope), number_(node), node_(scope.index.graph().nodes[node]) {}

  /// cond(pred, true_graph, false_graph, operands)
  void check_cond() {
    if (node_.inputs.size() != 4)
      return add_inputs("four inputs: the condition, two graphs and the operands");
    const std::size_t operands = operand_count(node_.inputs[3].arg);
    for (const std::size_t input : {1u, 2u}) {
      expect_inputs(input, operands);
      expect_outputs(input, result_count(node_), "results of the node");
    }
  }

  /// while_loop(cond_graph, body_graph, carried, additional)
  void check_while_loop() {
    if (node_.inputs.size() != 4) {
      return add_inputs("four inputs: two graphs, the carried and the additional operands");
    }
    const std::size_t carried = operand_count(node_.inputs[2].arg);
    const std::size_t operands = carried + operand_count(node_.inputs[3].arg);
    expect_inputs(0, operands);
    expect_inputs(1, operands);
    expect_outputs(0, 1, "condition");
    expect_outputs(1, carried, "carried operands");
  }

 private:
  void add_inputs(const char* expected) {
    check_.add("SUBGRAPH_ARITY", check_.path_of(scope_, number_) + ".inputs",
               std::string("expected ") + expected + ", found " + std::to_string(node_.inputs.size()));
  }

  void expect_inputs(std::size_t input, std::size_t operands) {
    const Graph* const graph = graph_at(node_, input);
    if (graph == nullptr || graph->inputs.size() == operands) return;
    add(input, "expected an input for each of the " + std::to_string(operands) + " operands, found " +
                   std::to_string(graph->inputs.size()));
  }

  void expect_outputs(std::size_t input, std::size_t results, const char* what) {
    const Graph* const graph = graph_at(node_, input);
    if (graph == nullptr || graph->outputs.size() == results) return;
    add(input, "expected an output for each of the " + std::to_string(results) + " " + what + ", found " +
                   std::to_string(graph->outputs.size()));
  }

  void add(std::size_t input, std::string message) {
    check_.add("SUBGRAPH_ARITY",
               check_.path_of_input(scope_, number_, static_cast<std::uint32_t>(input)) + ".as_graph",
               std::move(message));
  }

  Check& check_;
  const Check::Scope& scope_;
  std::uint32_t number_;
  const Node& node_;
};

void check_single_return(Check& check, const Check::Scope& scope) {
  const Graph& graph = scope.index.graph();
  if (!graph.is_single_tensor_return) return;
  const auto add = [&](const std::string& message) {
    check.add("SINGLE_RETURN", check.path_of(scope) + ".is_single_tensor_return", message);
  };
  if (scope.argument == nullptr) {
    add("expected the top graph to return a list");
  } else if (graph.outputs.size() != 1) {
    add("expected one output, found " + std::to_string(graph.outputs.size()));
  } else if (!graph.outputs[0].is<Argument::as_tensor>()) {
    add("expected a tensor as the output, found " + std::string(name_of(graph.outputs[0].kind())));
  }
}

void check_graph_name(Check& check, const Check::Scope& scope) {
  if (scope.argument == nullptr || !scope.argument->name.empty()) return;
  check.add("NAME_EMPTY", check.path_of(scope), "a subgraph without a name");
}

}  // namespace

void check_subgraphs(Check& check) {
  for (const Check::Scope& scope : check.index().scopes()) {
    check_single_return(check, scope);
    check_graph_name(check, scope);
    const std::vector<Node>& nodes = scope.index.graph().nodes;
    for (std::uint32_t node = 0; node < nodes.size(); ++node) {
      if (nodes[node].target == "torch.ops.higher_order.cond") SubgraphCheck(check, scope, node).check_cond();
      if (nodes[node].target == "torch.ops.higher_order.while_loop") {
        SubgraphCheck(check, scope, node).check_while_loop();
      }
    }
  }
}

}  // namespace pt2
