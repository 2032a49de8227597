#pragma once

#include <string>

#include "model/model.h"

namespace generator {

/// Returns the PyTorch module that contains the schema, such as "torch._export", according to
/// schema/torch_modules.txt; empty if there is none.
std::string torch_module(const Model& model);

}  // namespace generator
