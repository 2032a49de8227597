// The graph of a program in the DOT language of Graphviz.
#pragma once

#include <string>

#include "pt2/show/diagram.h"

namespace pt2::tool {

/// Groups are clusters, nodes are called n0, n1, ..., arrows have the types of the values that go along them.
std::string dot_text(const Diagram& view, const std::string& title);

}  // namespace pt2::tool
