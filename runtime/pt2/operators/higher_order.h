#pragma once

#include <string_view>

namespace pt2 {

/// The prefix of all targets except functions.
inline constexpr std::string_view kOperatorPrefix = "torch.ops.";

/// Returns the name of a higher-order operator, or an empty string for other targets. For example, returns
/// `wrap` for `torch.ops.higher_order.wrap`, for torch 2.1's `torch.ops.wrap`, and for
/// `torch._higher_order_ops.wrap.wrap` (see defined_higher_order()).
std::string_view higher_order_name(std::string_view target);

/// Returns the operator's name if the target names the module that defines the operator, and an empty string
/// for other targets. For example, returns `with_effects` for `torch._higher_order_ops.effects.with_effects`.
/// torch 2.2 to 2.4 wrote such targets for some operators, and torch 2.13 still accepts them.
std::string_view defined_higher_order(std::string_view target);

}  // namespace pt2
