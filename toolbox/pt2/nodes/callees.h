// What higher-order operators call.
#pragma once

#include <string_view>

#include "pt2/types.h"

namespace pt2 {

/// Whether it is known which of its arguments a higher-order operator calls; `wrap`, see higher_order_name().
bool has_known_callees(std::string_view higher_order);

/// The first argument that `node` calls and that is neither a graph nor an operator; null: there is none.
/// A call of a value may be a call of anything: torch finds values by their names, `self.a.b`. What an
/// operator that is called calls of the remaining arguments is meant, too.
const Argument* find_called_value(const Node& node);

}  // namespace pt2
