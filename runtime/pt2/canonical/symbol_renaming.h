// Symbols, named by their place.
#pragma once

#include "pt2/canonical/unused_entries.h"
#include "pt2/types.h"

namespace pt2 {

/// Names the symbols of `program` `s0`, `s1`, ..., those of torch's kinds `u`, `zf` and `zuf` followed by
/// digits likewise with these letters, in the order in which values are defined whose size, stride, offset or
/// value is the symbol itself; then those that only occur inside of expressions, then in constraints, then in
/// entries that nothing names and in guards. Where this leaves several to choose from, it goes by who has
/// which of them (see refinement.h). rename_values() must have named the values, and gives `unused`.
///
/// Expressions, `range_constraints`, which are sorted, and `guards_code`, which is sorted too, have the new
/// names. Of sympy's commutative functions the operands are put in order. Guards are taken for Python.
void rename_symbols(ExportedProgram& program, const UnusedEntries& unused);

}  // namespace pt2
