#pragma once

#include <cstddef>

#include "pt2/types.h"

namespace pt2 {

/// Returns the entry in module_call_graph for the model itself. If there are several outputs, they form a
/// tuple.
ModuleCallEntry root_call(std::size_t inputs, std::size_t outputs);

ModuleCallSignature* root_signature(ExportedProgram& program);

}  // namespace pt2
