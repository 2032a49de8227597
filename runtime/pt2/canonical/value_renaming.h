// Values, nodes and subgraphs, named by their place.
#pragma once

#include "pt2/canonical/unused_entries.h"
#include "pt2/types.h"

namespace pt2 {

/// Names the values, nodes and subgraphs of the module's graph, and of its subgraphs, as canonical.h says of
/// the form names, in the signature and the module calls too, and sorts the value tables by the new names.
/// Two names are the same afterwards if and only if they were before.
///
/// Returns the entries that nothing names, which have names now, but not in an order: see unused_entries.h.
UnusedEntries rename_values(GraphModule& module);

/// The same for a graph on its own.
UnusedEntries rename_values(Graph& graph);

}  // namespace pt2
