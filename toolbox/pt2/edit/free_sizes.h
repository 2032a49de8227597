// New symbols for the sizes of a part's inputs.
#pragma once

#include "pt2/types.h"

namespace pt2 {

/// Replaces sizes and integers among the inputs of `part` by new symbols if no input defines the symbols in
/// them, as in `(s16 - 1)//2 + 1`: torch cannot run a program with such an input. `whole` is the signature of
/// the program that `part` is from. The new symbols also replace these expressions elsewhere; old symbols
/// remain where the new ones cannot express them. `part` keeps the ranges of old symbols and gets those of
/// new ones. Throws DataError if a size of an input is not an expression.
void free_sizes(ExportedProgram& part, const GraphSignature& whole);

}  // namespace pt2
