// The stages of CanonicalForm::torch, which are torch's own.
#pragma once

#include "pt2/types.h"

namespace pt2 {

/// Sorts what torch sorts outside of the graph's nodes, inputs and outputs together with what they stand for,
/// and drops what torch drops. Errors: DataError where torch raises.
void sort_as_torch(ExportedProgram& program);

/// Orders the nodes, and renames the values of the graph and of the signature, then does the same with its
/// subgraphs, which is the order in which torch finds faults. Errors: DataError where torch raises.
void order_and_rename_as_torch(GraphModule& module);

}  // namespace pt2
