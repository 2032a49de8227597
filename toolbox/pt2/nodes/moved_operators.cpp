#include "pt2/nodes/moved_operators.h"

#include <algorithm>
#include <iterator>

#include "pt2/graph/walk.h"
#include "pt2/operators/operators.h"
#include "pt2/strings/argument_text.h"

namespace pt2 {
namespace {

// torch._C._dispatch_has_computed_kernel_for_dispatch_key(operator, "CPU") in torch 2.2 to 2.13, for all
// operators without an `out` argument.
constexpr MovedOperator kMoved[] = {
    {"torch.ops.aten._convert_weight_to_int4pack.default", "cpu", "2.6",
     "torch.ops.aten._convert_weight_to_int4pack_for_cpu.default"},
    {"torch.ops.aten._scaled_dot_product_flash_attention.default", "cpu", "2.3",
     "torch.ops.aten._scaled_dot_product_flash_attention_for_cpu.default"},
    {"torch.ops.aten._scaled_dot_product_flash_attention_backward.default", "cpu", "2.3",
     "torch.ops.aten._scaled_dot_product_flash_attention_for_cpu_backward.default"},
    {"torch.ops.aten._weight_int4pack_mm.default", "cpu", "2.6",
     "torch.ops.aten._weight_int4pack_mm_for_cpu.default"},
};

const TensorMeta* first_tensor(const Node& node, const Graph& graph) {
  const TensorMeta* found = nullptr;
  for_each_name(node.inputs, [&](const std::string& name, ValueName::Table table) {
    if (found == nullptr && table == ValueName::Table::tensors) found = graph.tensor_values.find(name);
  });
  return found;
}

}  // namespace

const MovedOperator* find_moved(const Node& node, const Graph& graph, std::string_view release) {
  const auto moved = std::find_if(std::begin(kMoved), std::end(kMoved),
                                  [&](const MovedOperator& each) { return each.target == node.target; });
  if (moved == std::end(kMoved) || is_earlier_release(release, moved->since)) return nullptr;
  const TensorMeta* const meta = first_tensor(node, graph);
  return meta != nullptr && meta->device.type == moved->device ? moved : nullptr;
}

std::string moved_text(const MovedOperator& moved) {
  return "moved to " + operator_text(moved.now) + " on the device " + std::string(moved.device) +
         " in torch " + std::string(moved.since);
}

}  // namespace pt2
