#pragma once

#include <string_view>

namespace pt2 {

/// Returns `wrap` for `torch.ops.higher_order.wrap`, for torch 2.1's `torch.ops.wrap`, and for
/// `torch._higher_order_ops.wrap.wrap` (see defined_higher_order()); empty for other targets.
std::string_view higher_order_name(std::string_view target);

/// Returns the operator's name if the target names the defining module, as torch 2.2 to 2.4 wrote for some
/// operators and torch 2.13 still accepts: `with_effects` for `torch._higher_order_ops.effects.with_effects`;
/// empty for other targets.
std::string_view defined_higher_order(std::string_view target);

}  // namespace pt2
