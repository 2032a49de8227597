#pragma once

#include <string>

#include "pt2/show/diagram.h"

namespace pt2 {

/// Returns the graph for Graphviz. Throws DataError if the text would be too large.
std::string dot_text(const Diagram& view, const std::string& title);

}  // namespace pt2
