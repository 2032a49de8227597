#include "pt2/edit/passes.h"

#include <algorithm>

#include "pt2/edit/placement.h"
#include "pt2/graph/effects.h"
#include "pt2/graph/index.h"
#include "pt2/nodes/argument_fit.h"
#include "pt2/nodes/list_items.h"
#include "pt2/nodes/subgraph_calls.h"
#include "pt2/text/affix.h"
#include "pt2/text/symbolic_text.h"

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

/// Returns, for each value, the values that define its unbacked symbols: the first ones that mention them.
std::vector<std::vector<std::uint32_t>> symbol_definitions(const GraphIndex& index) {
  schemagen::Map<std::uint32_t> first;
  std::vector<std::vector<std::uint32_t>> definitions(index.size());
  for (std::uint32_t value = 0; value < index.defined_count(); ++value) {
    const auto note = [&](std::string_view symbol) {
      if (!starts_with(symbol, "u") && !starts_with(symbol, "zuf")) return;
      const auto [definition, is_new] = first.try_emplace(std::string(symbol));
      if (is_new) *definition = value;
      definitions[value].push_back(*definition);
    };
    for_each_table(index.graph(), [&](const auto& table, ValueName::Table) {
      const auto* const entry = table.find(index.name(value));
      if (entry == nullptr) return;
      for_each_expression(*entry, [&](const std::string& text) { SymbolicText(text).for_each_symbol(note); });
    });
  }
  return definitions;
}

/// Returns whether nodes have effects, or are needed by such nodes, outputs or the values in `named`.
std::vector<bool> live_nodes(const Graph& graph, const schemagen::Map<bool>& named,
                             const OperatorSet& operators) {
  const GraphIndex index(graph);
  const std::vector<std::vector<std::uint32_t>> definitions = symbol_definitions(index);
  std::vector<bool> is_live(graph.nodes.size());
  std::vector<std::uint32_t> open;
  const auto need_node = [&](std::uint32_t node) {
    if (node == GraphIndex::kNone || is_live[node]) return;
    is_live[node] = true;
    open.push_back(node);
  };
  const auto need = [&](std::uint32_t value) { need_node(index.defining_node(value)); };
  for (std::uint32_t node = 0; node < index.node_count(); ++node) {
    if (has_effects(graph.nodes[node], operators)) need_node(node);
  }
  for (const std::uint32_t value : index.graph_outputs()) need(value);
  for (const auto& entry : named) {
    const std::uint32_t value = index.find(entry.key());
    if (value != GraphIndex::kNone) need(value);
  }
  while (!open.empty()) {
    const std::uint32_t node = open.back();
    open.pop_back();
    for (const GraphIndex::Use& use : index.uses(node)) need(use.value);
    for (auto out = index.outputs_begin(node); out < index.outputs_end(node); ++out) {
      for (const std::uint32_t definition : definitions[out]) need(definition);
    }
  }
  return is_live;
}

struct InlinedCall {
  const Graph* graph;
  std::vector<Argument> operands;
};

std::optional<bool> literal_condition(const Argument& argument) {
  const Argument condition = without_wrapper(argument);
  const bool* const value = condition.get_if<Argument::as_bool>();
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
  return value_of(input) == nullptr || operand.kind() == input.kind() ||
         operand.kind() == kind_of_literal(input.kind());
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

/// Returns the call's nodes. Results that are not made by one of them are passed on.
Graph inlined(const Node& node, const InlinedCall& call, FreshNames& names, Substitutes& passed_on) {
  const schemagen::Map<bool> defined = node_results(call.graph->nodes);
  const std::vector<const std::string*> results = results_of(node);
  ValueNames given;
  std::vector<bool> is_given(results.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    const std::string* const inner = value_of(call.graph->outputs[i]);
    if (results[i] == nullptr || inner == nullptr || !defined.contains(*inner)) continue;
    is_given[i] = given.insert(*inner, *results[i]).second;
  }
  Graph part = placed(*call.graph, call.operands, names, given);
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (results[i] != nullptr && !is_given[i]) passed_on[*results[i]] = part.outputs[i];
  }
  return part;
}

std::size_t inline_calls(ExportedProgram& program, bool (*is_wanted)(const Node&)) {
  std::size_t count = 0;
  for_each_graph_inside_out(program.graph_module.graph, [&](Graph& graph) {
    FreshNames names(graph);
    Substitutes passed_on;
    count += replace_nodes(program, graph, passed_on, [&](Node& node, std::size_t) -> NewNodes {
      const std::optional<InlinedCall> call = is_wanted(node) ? call_of(node) : std::nullopt;
      if (!call) return std::nullopt;
      Graph part = inlined(node, *call, names, passed_on);
      add_values(graph, part);
      return std::move(part.nodes);
    });
  });
  return count;
}

bool is_without_results(const Node& node) {
  const Operator* const op = find_operator(node.target);
  return node.outputs.empty() && op != nullptr && op->kind == OperatorKind::higher_order;
}

}  // namespace

ExportedProgram run_passes(const std::vector<Pass>& passes, ExportedProgram program,
                           const PassObserver& observe) {
  for (const Pass& pass : passes) {
    if (!observe) {
      program = pass.run(std::move(program));
      continue;
    }
    ExportedProgram changed = pass.run(program);
    observe(pass.name, program, changed);
    program = std::move(changed);
  }
  return program;
}

std::size_t fold_getitems(ExportedProgram& program) {
  std::size_t count = 0;
  for_each_graph_inside_out(program.graph_module.graph, [&](Graph& graph) {
    Substitutes items;
    count += replace_nodes(program, graph, items, [&](Node& node, std::size_t) -> NewNodes {
      std::optional<Argument> item = picked_item(node);
      if (!item) return std::nullopt;
      items[*value_of(node.outputs[0])] = *std::move(item);
      return std::vector<Node>();
    });
  });
  return count;
}

std::size_t drop_dead_nodes(ExportedProgram& program, const OperatorSet& operators) {
  Graph& top = program.graph_module.graph;
  std::size_t count = 0;
  // Without effects in its subgraphs, a node may be dead.
  for_each_graph_inside_out(top, [&](Graph& graph) {
    schemagen::Map<bool> named;
    if (&graph == &top) named = module_values(program.graph_module);
    const std::vector<bool> is_live = live_nodes(graph, named, operators);
    count += replace_nodes(program, graph, {}, [&](Node&, std::size_t at) {
      return is_live[at] ? NewNodes() : NewNodes(std::vector<Node>());
    });
  });
  return count;
}

std::size_t inline_subgraphs(ExportedProgram& program) {
  return inline_calls(program, [](const Node&) { return true; });
}

std::size_t drop_calls_without_results(ExportedProgram& program) {
  Graph& top = program.graph_module.graph;
  std::size_t count = inline_calls(program, is_without_results);
  for_each_graph(top, [&](Graph& graph) {
    count += replace_nodes(program, graph, {}, [](const Node& node, std::size_t) {
      return is_without_results(node) && !has_effects(node) ? NewNodes(std::vector<Node>()) : NewNodes();
    });
  });
  return count;
}

}  // namespace pt2
