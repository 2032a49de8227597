// The calling convention of a program.
#pragma once

#include <cstddef>

#include "pt2/types.h"

namespace pt2 {

/// Returns the model's own entry for GraphModule.module_call_graph: `inputs` positional arguments, and one
/// result or a tuple of `outputs`.
ModuleCallEntry root_call(std::size_t inputs, std::size_t outputs);

/// Returns the signature in the model's own entry, or null.
ModuleCallSignature* root_signature(ExportedProgram& program);

}  // namespace pt2
