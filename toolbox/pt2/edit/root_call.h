// How a program is called.
#pragma once

#include <cstddef>

#include "pt2/types.h"

namespace pt2 {

/// The entry for the model itself in GraphModule.module_call_graph, of a program that takes `inputs` values
/// in a row and gives one value, or else a tuple of `outputs`.
ModuleCallEntry root_call(std::size_t inputs, std::size_t outputs);

/// What `program` says of its call of itself; null: nothing.
ModuleCallSignature* root_signature(ExportedProgram& program);

}  // namespace pt2
