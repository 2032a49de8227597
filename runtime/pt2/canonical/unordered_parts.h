#pragma once

#include "pt2/canonical/canonical.h"
#include "pt2/types.h"

namespace pt2 {

/// Sorts dicts in arguments and the metadata of nodes, including those in subgraphs. Can also drop
/// provenance.
void sort_unordered(Graph& graph, Provenance provenance);

/// Also sorts module calls, the opset, metadata and named tuples. Does not sort value tables, constraints and
/// guards, because their order depends on names and symbols.
void sort_unordered(ExportedProgram& program, Provenance provenance);

}  // namespace pt2
