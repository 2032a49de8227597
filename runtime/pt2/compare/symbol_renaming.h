// Symbols, named by their place.
#pragma once

#include "pt2/types.h"

namespace pt2 {

/// Names the symbols of `program` `s0`, `s1`, ..., those of torch's kinds `u`, `zf` and `zuf` followed by
/// digits likewise with these letters, in the order in which values are defined whose size, stride, offset or
/// value is the symbol itself; then those that only occur inside of expressions, then in constraints. Values
/// must be named `_0`, `_1`, ... in that order (see value_renaming.h).
///
/// Expressions, `range_constraints`, which are sorted, and `guards_code`, which is sorted too, have the new
/// names. Of sympy's commutative functions the operands are put in order. Guards are taken for Python.
void rename_symbols(ExportedProgram& program);

}  // namespace pt2
