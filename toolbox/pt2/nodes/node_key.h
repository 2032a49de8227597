// What a node is, apart from names and from how it is shown.
#pragma once

#include <string>

#include "pt2/types.h"

namespace pt2 {

/// A text that two nodes share if and only if they have the same operator, argument names, literals, and
/// forms of arguments and results: whatever values they work on, whatever their subgraphs hold. Which
/// arguments are passed as keywords, metadata, and the node's own name do not count.
///
/// The text is for comparing only, and not for people. Errors: DataError if a union has no member.
std::string node_key(const Node& node);

}  // namespace pt2
