// Names of higher-order operators.
#pragma once

#include <string_view>

namespace pt2 {

/// `wrap` of `torch.ops.higher_order.wrap`, of `torch.ops.wrap`, as torch 2.1 wrote it, and of
/// `torch._higher_order_ops.wrap.wrap`, see defined_higher_order(); empty: another target.
std::string_view higher_order_name(std::string_view target);

/// Torch 2.2 to 2.4 named some higher-order operators by the module that defines them; torch 2.13 finds them
/// there, too. `with_effects` of `torch._higher_order_ops.effects.with_effects`; empty: another target.
std::string_view defined_higher_order(std::string_view target);

}  // namespace pt2
