#pragma once

#include <string>

#include "pt2/types.h"

namespace pt2 {

/// Returns a key for comparing nodes. Two nodes have the same key if and only if they have the same operator,
/// argument names, literals, and kinds of arguments and results. Throws DataError if a union has no member.
std::string node_key(const Node& node);

/// Returns the argument without the names of values, and without subgraphs.
Argument without_names(const Argument& argument);

}  // namespace pt2
