// Groups that keep the pictures of a diagram small. Internal to diagram.h.
#pragma once

#include "pt2/show/diagram.h"

namespace pt2 {

/// Puts what repeats into groups of its own, then what follows each other, until no group holds more boxes
/// than can be laid out at once; and weights where all of their users are.
void arrange(Diagram& diagram);

}  // namespace pt2
