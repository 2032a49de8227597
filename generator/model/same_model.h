#pragma once

#include "model/model.h"

namespace generator {

/// Equal in everything that a schema can express, including docs and order, but not places.
bool same_meaning(const Model& a, const Model& b);

}  // namespace generator
