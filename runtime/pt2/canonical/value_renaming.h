// Renames values, nodes and subgraphs by their place of definition.
#pragma once

#include "pt2/canonical/unused_entries.h"
#include "pt2/types.h"

namespace pt2 {

/// Renames the values, nodes and subgraphs of the module's graph and its subgraphs as CanonicalForm::names
/// describes, also in the signature and the module calls, and sorts the value tables. Distinct names stay
/// distinct.
///
/// Returns the unused entries. They are renamed, but not yet in a canonical order: see unused_entries.h.
UnusedEntries rename_values(GraphModule& module);

/// The same for a single graph.
UnusedEntries rename_values(Graph& graph);

}  // namespace pt2
