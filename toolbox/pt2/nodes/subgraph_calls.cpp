#include "pt2/nodes/subgraph_calls.h"

#include "pt2/nodes/list_items.h"
#include "pt2/operators/higher_order.h"
#include "pt2/text/words.h"

namespace pt2 {
namespace {

using Outputs = SubgraphOutputs;

/// Source: torch/_higher_order_ops of torch 2.13.
constexpr SubgraphCall kCalls[] = {
    {"associative_scan", 0, false, 0, {{{1, 2}, {2, 1}}}},  // combines two elements
    {"cond", 1, false, 0, {{{3, 1}}}},
    {"cond", 2, false, 0, {{{3, 1}}}},
    {"hints_wrapper run_const_graph strict_mode", 0, true, 0, {{{1, 1}}}},
    {"invoke_subgraph", 0, true, 2},
    {"local_map_hop", 0, false, 1},
    {"map_impl", 0, false, 0, {{{1, 1}, {2, 1}}}},
    {"scan", 0, false, 0, {{{1, 1}, {2, 1}, {3, 1}}}},
    {"tag_activation_checkpoint wrap wrap_activation_checkpoint", 0, true, 1},
    {"while_loop while_loop_stack_output", 0, false, 0, {{{2, 1}, {3, 1}}}, Outputs::condition},
    {"while_loop while_loop_stack_output", 1, false, 0, {{{2, 1}, {3, 1}}}, Outputs::first_list},
    {"wrap_with_autocast", 4, false, 5},
    {"wrap_with_set_grad_enabled", 1, true, 2},
};

}  // namespace

std::vector<const SubgraphCall*> subgraph_calls(const Operator& op) {
  std::vector<const SubgraphCall*> calls;
  if (op.kind != OperatorKind::higher_order) return calls;
  const std::string_view name = higher_order_name(op.target);
  for (const SubgraphCall& call : kCalls) {
    if (has_word(call.operators, name)) calls.push_back(&call);
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
