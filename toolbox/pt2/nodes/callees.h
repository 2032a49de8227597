// The callable arguments of higher-order operators.
#pragma once

#include <string_view>

#include "pt2/types.h"

namespace pt2 {

/// Whether the table has the called arguments of a higher-order operator. Takes a name from
/// higher_order_name().
bool has_known_callees(std::string_view higher_order);

/// Returns the first argument that `node` calls and that is neither a graph nor an operator, or null. Calling
/// a value may call anything, because torch finds values by name, `self.a.b`. If a called operator calls some
/// of the remaining arguments in turn, these count, too.
const Argument* find_called_value(const Node& node);

}  // namespace pt2
