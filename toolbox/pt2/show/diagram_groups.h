// Keeps diagrams small. Internal to diagram.h.
#pragma once

#include "pt2/show/diagram.h"

namespace pt2 {

/// Groups equal modules of a list, repeated boxes, and nodes between modules, and then consecutive boxes
/// until no group is too large for layout. Groups are named after what most of their nodes are for. Moves
/// weights to the innermost group that contains all their users.
void arrange(Diagram& diagram);

/// Returns the innermost group that contains both groups.
std::size_t common_group(const Diagram& diagram, std::size_t a, std::size_t b);

}  // namespace pt2
