#pragma once

#include "pt2/canonical/canonical.h"
#include "pt2/types.h"

namespace pt2 {

/// Sorts dicts in arguments and the metadata of nodes, including subgraphs; can drop provenance.
void sort_unordered(Graph& graph, Provenance provenance);

/// Also sorts module calls, opset, metadata and named tuples. The order of value tables, constraints and
/// guards depends on names and symbols, so it stays.
void sort_unordered(ExportedProgram& program, Provenance provenance);

}  // namespace pt2
