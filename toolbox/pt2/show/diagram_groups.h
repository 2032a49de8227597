// Keeps diagrams small. Internal to diagram.h.
#pragma once

#include "pt2/show/diagram.h"

namespace pt2 {

/// Groups repeated boxes, and then consecutive boxes until no group is too large for layout. Moves weights to
/// the innermost group that contains all their users.
void arrange(Diagram& diagram);

}  // namespace pt2
