// Finds the weights of a program in an archive.
#pragma once

#include <vector>

#include "pt2/archive/tensors/weights.h"
#include "pt2/types.h"

namespace pt2 {

/// Returns the weights of `program`: `given` tensors by name, and the rest from `stored`, an archive's
/// weights. Leaves out what the program does not reference. Tensors that the program has on another
/// type of device move there. Throws DataError with the first mismatch and their number, if one is missing or
/// has another dtype or shape than in the graph, or the program needs an object; if `given` has a name that
/// the program lacks, or a tensor whose storage another one of `stored` shares, which would no longer be
/// tied.
std::vector<Weight> matching_weights(const ExportedProgram& program, const std::vector<Weight>& stored,
                                     const std::vector<NamedTensor>& given);

}  // namespace pt2
