// The canonical form of names.
#pragma once

#include "pt2/compare/canonical.h"
#include "pt2/types.h"

namespace pt2 {

/// `program` with names that say nothing but where a thing is first defined. What it computes, and the order
/// of its nodes, inputs, outputs and modules, stay as they are.
///
/// In each graph, values are `_0`, `_1`, ... in the order of definition: inputs, then results of nodes; then
/// names that nothing defines. An input that is a constant counts among them. Nodes are called like their one
/// result, else `n` and their index; subgraphs `_g0`, `_g1`, ... in the order of use. Symbols are `s0`, `s1`,
/// ... in the order in which values are defined that have them; those that torch takes for unbacked or for
/// floats keep that: `u0`, `zf0`, `zuf0`. Sums and other commutative expressions are put in order.
///
/// Sorted by key: value tables, constraints, metadata, opset, dicts, fields of named tuples; guards by text.
/// Names of parameters and other keys of the weights, texts and comments are no names in this sense.
/// Applied again, changes nothing.
ExportedProgram canonical_names(ExportedProgram program, Provenance provenance = Provenance::drop);

}  // namespace pt2
