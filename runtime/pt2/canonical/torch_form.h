// The stages of CanonicalForm::torch. They throw DataError where torch raises.
#pragma once

#include "pt2/types.h"

namespace pt2 {

/// Canonicalizes inputs and outputs with their specs, tables and guards. Drops what torch drops.
void sort_as_torch(ExportedProgram& program);

/// Renames nodes and values in the graph and the signature, then in the subgraphs, so that errors come in
/// torch's order.
void order_and_rename_as_torch(GraphModule& module);

}  // namespace pt2
