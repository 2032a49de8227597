#pragma once

#include <string>

#include "pt2/show/diagram.h"

namespace pt2::tool {

/// Throws UsageError, with similar names.
const DiagramNode& find_node(const Diagram& view, const std::string& name);

/// Modules, arguments with defaults, results with users, and metadata. Throws the errors of find_node().
std::string node_text(const Diagram& view, const std::string& name);

}  // namespace pt2::tool
