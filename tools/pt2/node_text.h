// One node with all that is known of it.
#pragma once

#include <string>

#include "pt2/show/diagram.h"

namespace pt2::tool {

/// The node called `name` in `view`. Errors: UsageError, with names that are near, if there is none.
const DiagramNode& find_node(const Diagram& view, const std::string& name);

/// The same as text: its modules, arguments with defaults, results with their users,
/// metadata. Errors: those of find_node().
std::string node_text(const Diagram& view, const std::string& name);

}  // namespace pt2::tool
