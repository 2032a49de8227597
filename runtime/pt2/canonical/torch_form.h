// The stages of CanonicalForm::torch.
#pragma once

#include "pt2/types.h"

namespace pt2 {

/// Sorts inputs, outputs and their specs, tables and guards as torch does, and drops what torch drops. Throws
/// DataError where torch raises.
void sort_as_torch(ExportedProgram& program);

/// Orders the nodes and renames the values of the graph and the signature, then of the subgraphs: torch finds
/// errors in this order. Throws DataError where torch raises.
void order_and_rename_as_torch(GraphModule& module);

}  // namespace pt2
