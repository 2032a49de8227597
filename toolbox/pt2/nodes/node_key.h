// A comparison key of nodes.
#pragma once

#include <string>

#include "pt2/types.h"

namespace pt2 {

/// Returns text that is equal for two nodes if and only if they have the same operator, argument names,
/// literals, and kinds of arguments and results. Values, contents of subgraphs, metadata, the node's name and
/// which arguments are keywords do not matter.
///
/// The text is for comparison only. Throws DataError if a union has no member.
std::string node_key(const Node& node);

}  // namespace pt2
