// Values, nodes and subgraphs, named by their place.
#pragma once

#include "pt2/types.h"

namespace pt2 {

/// Names the values, nodes and subgraphs of the module's graph, and of its subgraphs, as canonical_names.h
/// says, in the signature and the module calls too, and sorts the value tables by the new names. Two names
/// are the same afterwards if and only if they were before.
void rename_values(GraphModule& module);

/// The same for a graph on its own.
void rename_values(Graph& graph);

}  // namespace pt2
