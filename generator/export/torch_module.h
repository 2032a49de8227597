#pragma once

#include <string>

#include "model/model.h"

namespace generator {

/// Returns the schema's module in torch, e.g. "torch._export", according to schema/torch_modules.txt. Returns
/// an empty string if it is unknown.
std::string torch_module(const Model& model);

}  // namespace generator
