// Implements the stages of CanonicalForm::torch. They throw DataError where torch raises an exception.
#pragma once

#include "pt2/types.h"

namespace pt2 {

/// Canonicalizes inputs and outputs with their specs, tables and guards. Drops everything that torch drops.
void sort_as_torch(ExportedProgram& program);

/// Renames nodes and values in the graph and the signature, and then in the subgraphs, so that errors occur
/// in the same order as in torch.
void order_and_rename_as_torch(GraphModule& module);

}  // namespace pt2
