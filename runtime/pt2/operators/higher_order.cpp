#include "pt2/operators/higher_order.h"

#include <algorithm>
#include <iterator>

#include "pt2/text/affix.h"

namespace pt2 {
namespace {

constexpr std::string_view kHigherOrderOps = "torch.ops.higher_order.";

/// torch 2.2 to 2.4 built these targets from `__module__` and `__name__`
/// (GraphModuleSerializer.serialize_operator), and torch 2.13 still resolves them. Other operators are in
/// torch.ops.higher_order, or never in programs.
constexpr std::string_view kDefinedIn[] = {
    "torch._functorch.autograd_function.autograd_function_apply",
    "torch._functorch.autograd_function.custom_function_call",
    "torch._higher_order_ops.auto_functionalize.auto_functionalized",
    "torch._higher_order_ops.effects.with_effects",
    "torch._higher_order_ops.triton_kernel_wrap.triton_kernel_wrapper_functional",
    "torch._higher_order_ops.triton_kernel_wrap.triton_kernel_wrapper_mutation",
    "torch._higher_order_ops.wrap.tag_activation_checkpoint",
    "torch._higher_order_ops.wrap.wrap",
    "torch._higher_order_ops.wrap.wrap_activation_checkpoint",
    "torch._higher_order_ops.wrap.wrap_with_set_grad_enabled",
};

}  // namespace

std::string_view defined_higher_order(std::string_view target) {
  return std::find(std::begin(kDefinedIn), std::end(kDefinedIn), target) != std::end(kDefinedIn)
             ? target.substr(target.rfind('.') + 1)
             : std::string_view();
}

std::string_view higher_order_name(std::string_view target) {
  if (starts_with(target, kHigherOrderOps)) return target.substr(kHigherOrderOps.size());
  if (!starts_with(target, kOperatorPrefix)) return defined_higher_order(target);
  const std::string_view name = target.substr(kOperatorPrefix.size());
  return name.find('.') == name.npos ? name : std::string_view();
}

}  // namespace pt2
