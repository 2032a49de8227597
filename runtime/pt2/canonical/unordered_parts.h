// Sorts the parts of a program whose order has no meaning, and drops its provenance.
#pragma once

#include "pt2/canonical/canonical.h"
#include "pt2/types.h"

namespace pt2 {

/// Sorts dicts in arguments and the metadata of nodes, in `graph` and its subgraphs, and drops provenance if
/// asked.
void sort_unordered(Graph& graph, Provenance provenance);

/// The same for a whole program: also sorts module calls, opset, metadata and named tuples. Leaves value
/// tables, constraints and guards alone: their order depends on names and symbols.
void sort_unordered(ExportedProgram& program, Provenance provenance);

}  // namespace pt2
