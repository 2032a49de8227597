// PyTorch's own copies of schemas.
#pragma once

#include <string>

#include "model/model.h"

namespace generator {

/// Returns the module of PyTorch that has the schema, e.g. "torch._export", as schema/torch_modules.txt lists
/// it. Empty if PyTorch does not have the schema.
std::string torch_module(const Model& model);

}  // namespace generator
