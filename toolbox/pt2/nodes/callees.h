#pragma once

#include <string_view>

#include "pt2/types.h"

namespace pt2 {

/// Returns whether it is known what a higher-order operator calls. `higher_order` is a result of
/// higher_order_name().
bool has_known_callees(std::string_view higher_order);

/// Returns the first argument that `node` calls and that is neither a graph nor an operator, or null. Calling
/// a value could call anything, because torch finds values by name, e.g. `self.a.b`. Includes arguments that
/// a called operator calls.
const Argument* find_called_value(const Node& node);

}  // namespace pt2
