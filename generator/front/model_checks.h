#pragma once

#include <vector>

#include "front/diagnostics.h"
#include "model/model.h"

namespace generator {

/// Makes the checks that need the whole schema: map keys, version fields, types that contain or require
/// themselves, and C++ names that are taken. `usable` is true for types whose kind and fields could be read.
void check_model(const Model& model, const std::vector<bool>& usable, Diagnostics& diagnostics);

}  // namespace generator
