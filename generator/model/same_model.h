#pragma once

#include "model/model.h"

namespace generator {

/// Compares everything that a schema can express, including docs and order.
bool same_meaning(const Model& a, const Model& b);

}  // namespace generator
