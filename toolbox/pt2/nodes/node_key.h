#pragma once

#include <string>

#include "pt2/types.h"

namespace pt2 {

/// Returns a key that is equal for two nodes exactly if they have the same operator, argument names,
/// literals, and kinds of arguments and results. Use it only for comparison. Throws DataError if a union has
/// no member.
std::string node_key(const Node& node);

}  // namespace pt2
