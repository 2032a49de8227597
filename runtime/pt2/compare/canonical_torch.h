// The canonical form of torch.
#pragma once

#include "pt2/types.h"

namespace pt2 {

/// What torch 2.13's canonicalize makes of `program`; to_json() of it is what torch dumps, byte for byte.
///
/// Inputs and outputs are sorted by what they stand for, nodes topologically by operator, argument names and
/// ranks of their operands, values are `_0`, `_1`, ..., subgraphs `_g0`, ... in each graph, nodes lose their
/// metadata. It is as torch does it, so it is not canonical: of nodes that differ in literals only, the one
/// that stood first stays first; names in dicts, of nodes and in `module_call_graph`, and symbols stay as
/// they are; the graph module's metadata and named tuples are lost; values whose names look like `_1` already
/// can lose their entries in the tables. For a form without these faults see canonical_names.h.
///
/// Errors: DataError where torch raises, e.g. for a program without outputs, a name that is not defined, or
/// an argument `as_optional_tensor`. Source: canonicalize() and _canonicalize_graph(),
/// torch/_export/serde/serialize.py (PyTorch 2.13).
ExportedProgram canonical_torch(ExportedProgram program);

}  // namespace pt2
