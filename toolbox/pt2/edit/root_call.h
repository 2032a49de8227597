#pragma once

#include <cstddef>

#include "pt2/types.h"

namespace pt2 {

/// Returns the model's own entry in module_call_graph. Several outputs are a tuple.
ModuleCallEntry root_call(std::size_t inputs, std::size_t outputs);

ModuleCallSignature* root_signature(ExportedProgram& program);

}  // namespace pt2
