#pragma once

#include <string>

#include "pt2/show/diagram.h"

namespace pt2::tool {

/// Returns the node called `name`. Throws UsageError, with similar names, if there is none.
const DiagramNode& find_node(const Diagram& view, const std::string& name);

/// Returns a node's modules, arguments with defaults, results with users, and metadata. Throws whatever
/// find_node() throws.
std::string node_text(const Diagram& view, const std::string& name);

}  // namespace pt2::tool
