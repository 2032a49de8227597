#pragma once

#include "pt2/canonical/unused_entries.h"
#include "pt2/types.h"

namespace pt2 {

/// Renames values as CanonicalForm::names describes, also in the signature and the module calls, and sorts
/// the value tables. Distinct names stay distinct.
///
/// Returns the unused entries, which are renamed but not yet in a canonical order: see unused_entries.h. Adds
/// the original names to `original`, which must outlive the result.
UnusedEntries rename_values(GraphModule& module, OriginalNames* original = nullptr);

UnusedEntries rename_values(Graph& graph);

}  // namespace pt2
