#pragma once

#include <string>

#include "model/model.h"

namespace generator {

/// The module of PyTorch that has the schema, such as "torch._export", according to schema/torch_modules.txt;
/// empty if there is none.
std::string torch_module(const Model& model);

}  // namespace generator
