// Checks that need the whole schema.
#pragma once

#include <vector>

#include "front/diagnostics.h"
#include "model/model.h"

namespace generator {

/// Reports invalid map keys, fields that cannot state the version, types that contain or require themselves,
/// and C++ names that are taken. `usable` tells for each type whether its kind and fields could be read.
void check_model(const Model& model, const std::vector<bool>& usable, Diagnostics& diagnostics);

}  // namespace generator
