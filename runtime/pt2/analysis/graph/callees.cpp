#include "pt2/analysis/graph/callees.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include "pt2/versions/operators/operators.h"
#include "pt2/versions/text/affix.h"

namespace pt2 {
namespace {

struct CalleeRow {
  std::string_view name;  // of the operator
  std::array<int, 3> positions;
};

constexpr CalleeRow kCallees[] = {
    {"aoti_call_delegate", {0, 1, -1}},
    {"associative_scan", {0, -1, -1}},
    {"auto_functionalized", {0, -1, -1}},
    {"auto_functionalized_v2", {0, -1, -1}},
    {"autograd_function_apply", {0, 1, -1}},
    {"cond", {1, 2, -1}},
    {"control_deps", {1, -1, -1}},
    {"custom_function_call", {0, -1, -1}},
    {"dynamo_bypassing_wrapper", {0, 1, -1}},
    {"executorch_call_delegate", {0, -1, -1}},
    {"flat_apply", {0, -1, -1}},
    {"flex_attention", {3, 4, -1}},  // of the block mask, its last item
    {"flex_attention_backward", {7, 8, 9}},
    {"foreach_map", {0, -1, -1}},
    {"graphsafe_run_with_rng_state", {0, -1, -1}},
    {"hints_wrapper", {0, -1, -1}},
    {"inductor_compiled_code", {0, -1, -1}},
    {"invoke_leaf_function", {0, 1, -1}},
    {"invoke_quant", {0, -1, -1}},
    {"invoke_quant_packed", {0, -1, -1}},
    {"invoke_subgraph", {0, -1, -1}},
    {"local_map_hop", {0, -1, -1}},
    {"map", {0, -1, -1}},
    {"map_impl", {0, -1, -1}},
    {"out_dtype", {0, -1, -1}},
    {"register_hook", {1, -1, -1}},
    {"run_and_save_rng_state", {0, -1, -1}},
    {"run_const_graph", {0, -1, -1}},
    {"run_dtensor_rng_op", {2, -1, -1}},
    {"run_with_rng_state", {1, -1, -1}},
    {"scan", {0, -1, -1}},
    {"strict_mode", {0, -1, -1}},
    {"switch", {1, -1, -1}},
    {"tag_activation_checkpoint", {0, -1, -1}},
    {"while_loop", {0, 1, -1}},
    {"while_loop_stack_output", {0, 1, -1}},
    {"with_effects", {1, -1, -1}},
    {"wrap", {0, -1, -1}},
    {"wrap_activation_checkpoint", {0, -1, -1}},
    {"wrap_with_autocast", {4, -1, -1}},
    {"wrap_with_set_grad_enabled", {1, -1, -1}},
};

/// Where an argument stands that may be given by its name.
std::size_t callee_position(const Node& node, std::size_t input) {
  const std::string& name = node.inputs[input].name;
  const Operator* const op = name.empty() ? nullptr : find_operator(node.target);
  const std::size_t position = op == nullptr ? input : argument_position(*op, name);
  return op != nullptr && position == op->arguments.size() ? input : position;
}

}  // namespace

bool is_called(const Node& node, std::size_t input) {
  constexpr std::string_view kHigherOrder = "torch.ops.higher_order.";
  if (!starts_with(node.target, kHigherOrder)) return false;
  const std::string_view name = std::string_view(node.target).substr(kHigherOrder.size());
  const auto* const row = std::find_if(std::begin(kCallees), std::end(kCallees),
                                       [&](const CalleeRow& callees) { return callees.name == name; });
  if (row == std::end(kCallees)) return false;
  const int position = static_cast<int>(std::min<std::size_t>(callee_position(node, input), 1000));
  return std::find(row->positions.begin(), row->positions.end(), position) != row->positions.end();
}

}  // namespace pt2
