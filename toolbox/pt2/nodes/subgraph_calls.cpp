#include "pt2/nodes/subgraph_calls.h"

#include "pt2/nodes/list_items.h"

namespace pt2 {
namespace {

constexpr std::string_view kHigherOrderPrefix = "torch.ops.higher_order.";

constexpr SubgraphCall operands_in_lists(std::string_view name, std::uint32_t graph,
                                         std::array<OperandList, 3> lists,
                                         SubgraphOutputs outputs = SubgraphOutputs::results) {
  return {name, graph, lists, 0, outputs, false};
}
constexpr SubgraphCall operands_from(std::size_t first, std::string_view name, std::uint32_t graph) {
  return {name, graph, {}, first, SubgraphOutputs::results, false};
}
constexpr SubgraphCall once(SubgraphCall call) {
  call.runs_once = true;
  return call;
}

/// Source: torch/_higher_order_ops of torch 2.13.
constexpr SubgraphCall kCalls[] = {
    operands_in_lists("associative_scan", 0, {{{1, 2}, {2, 1}}}),  // combines two elements
    operands_in_lists("cond", 1, {{{3, 1}}}),
    operands_in_lists("cond", 2, {{{3, 1}}}),
    once(operands_in_lists("hints_wrapper", 0, {{{1, 1}}})),
    once(operands_from(2, "invoke_subgraph", 0)),
    operands_from(1, "local_map_hop", 0),
    operands_in_lists("map_impl", 0, {{{1, 1}, {2, 1}}}),
    once(operands_in_lists("run_const_graph", 0, {{{1, 1}}})),
    operands_in_lists("scan", 0, {{{1, 1}, {2, 1}, {3, 1}}}),
    once(operands_in_lists("strict_mode", 0, {{{1, 1}}})),
    once(operands_from(1, "tag_activation_checkpoint", 0)),
    operands_in_lists("while_loop", 0, {{{2, 1}, {3, 1}}}, SubgraphOutputs::condition),
    operands_in_lists("while_loop", 1, {{{2, 1}, {3, 1}}}, SubgraphOutputs::first_list),
    operands_in_lists("while_loop_stack_output", 0, {{{2, 1}, {3, 1}}}, SubgraphOutputs::condition),
    operands_in_lists("while_loop_stack_output", 1, {{{2, 1}, {3, 1}}}, SubgraphOutputs::first_list),
    once(operands_from(1, "wrap", 0)),
    once(operands_from(1, "wrap_activation_checkpoint", 0)),
    operands_from(5, "wrap_with_autocast", 4),
    once(operands_from(2, "wrap_with_set_grad_enabled", 1)),
};

}  // namespace

std::vector<const SubgraphCall*> subgraph_calls(const Operator& op) {
  std::vector<const SubgraphCall*> calls;
  if (op.kind != OperatorKind::higher_order) return calls;
  const std::string_view name = std::string_view(op.target).substr(kHigherOrderPrefix.size());
  for (const SubgraphCall& call : kCalls) {
    if (call.name == name) calls.push_back(&call);
  }
  return calls;
}

std::optional<std::vector<Argument>> operands_of(const Node& node, const SubgraphCall& call) {
  std::vector<Argument> operands;
  if (call.rest != 0) {
    for (std::size_t i = call.rest; i < node.inputs.size(); ++i) {
      if (node.inputs[i].name.empty()) operands.push_back(node.inputs[i].arg);
    }
    return operands;
  }
  for (const OperandList& list : call.lists) {
    if (list.times == 0) continue;
    if (list.input >= node.inputs.size()) return std::nullopt;
    const std::optional<std::vector<Argument>> items = items_of(node.inputs[list.input].arg);
    if (!items) return std::nullopt;
    for (std::size_t i = 0; i < list.times; ++i)
      operands.insert(operands.end(), items->begin(), items->end());
  }
  return operands;
}

}  // namespace pt2
