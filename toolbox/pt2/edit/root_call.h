#pragma once

#include <cstddef>

#include "pt2/types.h"

namespace pt2 {

/// The model's own entry of module_call_graph. Several outputs are a tuple.
ModuleCallEntry root_call(std::size_t inputs, std::size_t outputs);

ModuleCallSignature* root_signature(ExportedProgram& program);

}  // namespace pt2
