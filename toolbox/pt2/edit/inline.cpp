#include "pt2/edit/passes.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pt2/edit/graph.h"
#include "pt2/edit/placement.h"
#include "pt2/graph/effects.h"
#include "pt2/graph/walk.h"
#include "pt2/nodes/subgraph_calls.h"
#include "pt2/operators/operators.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

struct InlinedCall {
  const Graph* graph;
  std::vector<Argument> operands;
};

std::optional<bool> literal_condition(const Argument& argument) {
  if (const bool* const value = argument.get_if<Argument::as_bool>()) return *value;
  const auto* const symbolic = argument.get_if<Argument::as_sym_bool>();
  const bool* const value = symbolic == nullptr ? nullptr : symbolic->get_if<SymBoolArgument::as_bool>();
  return value == nullptr ? std::nullopt : std::optional(*value);
}

std::vector<const std::string*> results_of(const Node& node) {
  std::vector<const std::string*> results;
  for (const Argument& output : node.outputs) {
    for_each_slot(output, [&](const std::string* name, ValueName::Table) { results.push_back(name); });
  }
  return results;
}

bool can_stand_for(const Argument& operand, const Argument& input) {
  using A = Argument;
  if (value_of(input) == nullptr || operand.kind() == input.kind()) return true;
  return (input.is<A::as_sym_int>() && operand.is<A::as_int>()) ||
         (input.is<A::as_sym_float>() && operand.is<A::as_float>()) ||
         (input.is<A::as_sym_bool>() && operand.is<A::as_bool>());
}

std::optional<InlinedCall> call_of(const Node& node) {
  const Operator* const op = find_operator(node.target);
  if (op == nullptr) return std::nullopt;
  const bool is_cond = op->target == "torch.ops.higher_order.cond";
  const std::optional<bool> condition =
      is_cond && !node.inputs.empty() ? literal_condition(node.inputs[0].arg) : std::nullopt;
  for (const SubgraphCall* const call : subgraph_calls(*op)) {
    const bool is_it = call->runs_once || (condition && call->graph == (*condition ? 1U : 2U));
    if (!is_it || call->graph >= node.inputs.size()) continue;
    const auto* const graph = node.inputs[call->graph].arg.get_if<Argument::as_graph>();
    std::optional<std::vector<Argument>> operands = operands_of(node, *call);
    if (graph == nullptr || !operands) return std::nullopt;
    const std::vector<Argument>& inputs = graph->graph->inputs;
    if (!std::equal(operands->begin(), operands->end(), inputs.begin(), inputs.end(), can_stand_for) ||
        graph->graph->outputs.size() != results_of(node).size()) {
      return std::nullopt;
    }
    return InlinedCall{&*graph->graph, *std::move(operands)};
  }
  return std::nullopt;
}

using WantedNode = std::function<bool(const Node&)>;

class Inlining {
 public:
  explicit Inlining(Graph& graph) : graph_(graph), names_(graph) {}

  std::size_t run(const WantedNode& is_wanted) {
    std::size_t count = 0;
    for (Node& node : graph_.nodes) {
      for (NamedArgument& input : node.inputs) substitute(passed_on_, input.arg);
      const std::optional<InlinedCall> call = is_wanted(node) ? call_of(node) : std::nullopt;
      if (call) {
        expand(node, *call);
        ++count;
      } else {
        nodes_.push_back(std::move(node));
      }
    }
    graph_.nodes = std::move(nodes_);
    return count;
  }

  const Substitutes& passed_on() const { return passed_on_; }

 private:
  void expand(const Node& node, const InlinedCall& call) {
    const std::vector<const std::string*> results = results_of(node);
    const schemagen::Map<bool> defined = defined_in(*call.graph);
    ValueNames given;
    std::vector<bool> is_given(results.size());
    for (std::size_t i = 0; i < results.size(); ++i) {
      const std::string* const inner = value_of(call.graph->outputs[i]);
      if (results[i] == nullptr || inner == nullptr || !defined.contains(*inner)) continue;
      is_given[i] = given.insert(*inner, *results[i]).second;
    }
    Graph part = placed(*call.graph, call.operands, names_, given);
    schemagen::Map<bool> gone;
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (results[i] == nullptr || is_given[i]) continue;
      passed_on_[*results[i]] = part.outputs[i];
      gone.try_emplace(*results[i]);
    }
    remove_values(graph_, gone);
    add_values(graph_, part);
    nodes_.insert(nodes_.end(), std::make_move_iterator(part.nodes.begin()),
                  std::make_move_iterator(part.nodes.end()));
  }

  static schemagen::Map<bool> defined_in(const Graph& graph) {
    schemagen::Map<bool> names;
    for (const Node& node : graph.nodes) {
      for (const std::string* const name : results_of(node)) {
        if (name != nullptr) names.try_emplace(*name);
      }
    }
    return names;
  }

  Graph& graph_;
  FreshNames names_;
  std::vector<Node> nodes_;
  Substitutes passed_on_;
};

std::size_t inline_nodes(ExportedProgram& program, Graph& graph, const WantedNode& is_wanted) {
  Inlining inlining(graph);
  const std::size_t count = inlining.run(is_wanted);
  replace_output_uses(program, graph, inlining.passed_on());
  return count;
}

std::size_t inline_all(ExportedProgram& program, Graph& graph, const WantedNode& is_wanted) {
  std::size_t count = 0;
  for (Node& node : graph.nodes) {
    for_each_subgraph(
        node, [&](GraphArgument& subgraph) { count += inline_all(program, *subgraph.graph, is_wanted); });
  }
  return count + inline_nodes(program, graph, is_wanted);
}

bool is_without_results(const Node& node) {
  const Operator* const op = find_operator(node.target);
  return node.outputs.empty() && op != nullptr && op->kind == OperatorKind::higher_order;
}

}  // namespace

void inline_subgraph(ExportedProgram& program, Graph& graph, std::size_t at) {
  require_node(graph, at);
  if (!call_of(graph.nodes[at])) {
    throw schemagen::UsageError(
        "cannot inline a subgraph of " + schemagen::quoted(graph.nodes[at].target) +
        ": expected a node that runs one subgraph once, with one value for each input of the subgraph");
  }
  const Node* const wanted = &graph.nodes[at];
  inline_nodes(program, graph, [&](const Node& node) { return &node == wanted; });
}

std::size_t inline_subgraphs(ExportedProgram& program) {
  return inline_all(program, program.graph_module.graph, [](const Node&) { return true; });
}

std::size_t drop_calls_without_results(ExportedProgram& program) {
  Graph& top = program.graph_module.graph;
  std::size_t count = inline_all(program, top, is_without_results);
  for_each_graph(top, [&](Graph& graph) {
    const auto end = std::remove_if(graph.nodes.begin(), graph.nodes.end(), [](const Node& node) {
      return is_without_results(node) && !has_effects(node);
    });
    count += static_cast<std::size_t>(graph.nodes.end() - end);
    graph.nodes.erase(end, graph.nodes.end());
  });
  return count;
}

}  // namespace pt2
