// What a part of a program calls the sizes of what it is given.
#pragma once

#include "pt2/types.h"

namespace pt2 {

/// Gives symbols of their own to the sizes and whole numbers that `part` is given of what the program with
/// the signature `whole` computes, where nothing tells the symbols in them, as in `(s16 - 1)//2 + 1`: torch
/// runs no program with such an input. Where these expressions stand elsewhere, the new symbols do; old
/// symbols stay where the new ones cannot say it. `part` has the ranges of the old symbols, and gets those of
/// the new. Errors: DataError if a size of an input is no expression.
void free_sizes(ExportedProgram& part, const GraphSignature& whole);

}  // namespace pt2
