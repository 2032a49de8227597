// Keeps diagrams small. Internal to diagram.h.
#pragma once

#include "pt2/show/diagram.h"

namespace pt2 {

/// Groups repeated boxes, then consecutive boxes until no group is too large for layout, and moves weights to
/// the innermost group with all their users.
void arrange(Diagram& diagram);

}  // namespace pt2
