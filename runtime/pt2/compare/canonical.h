// Canonical forms: one way of many to write the same program down.
#pragma once

#include "pt2/types.h"

namespace pt2 {

enum class CanonicalForm {
  /// What torch 2.13's canonicalize makes of a program, to the byte, with its faults: see canonical_torch.h.
  torch,
  /// Names that say nothing but the order of definition; nodes stay in order: see canonical_names.h.
  names,
  /// The same, and nodes in an order that only the structure decides: see canonical_normal.h.
  normal,
};

/// What becomes of the record of where a program came from: `torch_version`, and in the nodes' metadata
/// `stack_trace`, `nn_module_stack`, `source_fn_stack`, `torch_fn` and `from_node`. The form torch drops all
/// metadata of nodes and keeps the version, whatever is asked for.
enum class Provenance { drop, keep };

/// `program` in a canonical form. Errors: DataError if it has no such form.
ExportedProgram canonicalize(ExportedProgram program, CanonicalForm form,
                             Provenance provenance = Provenance::drop);

}  // namespace pt2
