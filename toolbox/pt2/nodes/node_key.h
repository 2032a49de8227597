#pragma once

#include <string>

#include "pt2/types.h"

namespace pt2 {

/// Equal for two nodes exactly if they have the same operator, argument names, literals, and kinds of
/// arguments and results. For comparison only. Throws DataError if a union has no member.
std::string node_key(const Node& node);

}  // namespace pt2
