#pragma once

#include <string>

#include "model/model.h"

namespace generator {

/// E.g. "torch._export", according to schema/torch_modules.txt; empty if unknown.
std::string torch_module(const Model& model);

}  // namespace generator
