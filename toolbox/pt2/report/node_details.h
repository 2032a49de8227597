#pragma once

#include <string>

#include "pt2/show/diagram.h"

namespace pt2 {

/// Throws UsageError, with similar names, if there is no such node.
const DiagramNode& find_node(const Diagram& view, const std::string& name);

/// Shows modules, arguments with defaults, results with users, and metadata. Throws whatever find_node()
/// throws.
std::string node_details(const Diagram& view, const std::string& name);

}  // namespace pt2
