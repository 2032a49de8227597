#pragma once

#include "pt2/types.h"

namespace pt2 {

/// Replaces sizes of inputs such as `(s16 - 1)//2 + 1` by new symbols if no input defines their symbols:
/// torch cannot run such a program. `whole` is the signature of the program that `part` was extracted from.
/// Where possible, the new symbols also replace the same expressions elsewhere. Throws DataError if a size is
/// not a valid expression.
void free_sizes(ExportedProgram& part, const GraphSignature& whole);

}  // namespace pt2
