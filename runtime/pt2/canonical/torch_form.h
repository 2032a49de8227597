// The stages of CanonicalForm::torch. They throw DataError where torch raises.
#pragma once

#include "pt2/types.h"

namespace pt2 {

/// Inputs, outputs and their specs, tables and guards. Drops what torch drops.
void sort_as_torch(ExportedProgram& program);

/// Nodes and values of the graph and the signature, then of the subgraphs: torch finds errors in this order.
void order_and_rename_as_torch(GraphModule& module);

}  // namespace pt2
