// Finds the weights of a program in an archive.
#pragma once

#include <vector>

#include "pt2/archive/tensors/weights.h"
#include "pt2/types.h"

namespace pt2 {

/// Returns the weights of `program`: the `given` tensors by name, and the rest from `stored`, an archive's
/// weights. Leaves out tensors that the program does not reference. A tensor moves to the device type that
/// the program has it on. Throws DataError, with the first mismatch and their number, if a weight is missing
/// or has another dtype or shape than in the graph, or if the program needs an object. Also throws DataError
/// if the program lacks a name in `given`, or if a tensor to be replaced shares its storage with another one
/// of `stored`, because they would no longer be tied.
std::vector<Weight> matching_weights(const ExportedProgram& program, const std::vector<Weight>& stored,
                                     const std::vector<NamedTensor>& given);

}  // namespace pt2
