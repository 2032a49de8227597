// What a program has in some order that means nothing, and what only tells where it came from.
#pragma once

#include "pt2/canonical/canonical.h"
#include "pt2/types.h"

namespace pt2 {

/// Sorts the dicts among the arguments of `graph` and its subgraphs, and the metadata of their nodes; drops
/// the provenance there, if so told.
void sort_unordered(Graph& graph, Provenance provenance);

/// The same for a whole program: module calls, opset, metadata and named tuples too; not what names and
/// symbols decide, which are value tables, constraints and guards.
void sort_unordered(ExportedProgram& program, Provenance provenance);

}  // namespace pt2
