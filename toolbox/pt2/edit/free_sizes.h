#pragma once

#include "pt2/types.h"

namespace pt2 {

/// Gives inputs of `part` new symbols for sizes like `(s16 - 1)//2 + 1` whose symbols no input defines,
/// because torch cannot run such a program. `whole` is the signature that `part` is from. The new symbols
/// also replace the expressions elsewhere where possible. Throws DataError if a size is not an expression.
void free_sizes(ExportedProgram& part, const GraphSignature& whole);

}  // namespace pt2
