// Finds a program's weights in an archive.
#pragma once

#include <vector>

#include "pt2/archive/tensors/weights.h"
#include "pt2/types.h"

namespace pt2 {

/// Returns the weights of `program`. Takes each weight from `given` if that has a tensor with the weight's
/// name, and otherwise from `stored`, which contains an archive's weights. Omits stored tensors that the
/// program does not reference. Changes each tensor's device if the program declares a device of another type
/// for it.
///
/// Throws DataError, with the first mismatch and the number of mismatches, if a weight is missing or if its
/// dtype or shape differs from the graph's. Also throws DataError if `given` has a name that the program
/// lacks, or if a tensor to be replaced shares its elements with another tensor in `stored`, because the two
/// would no longer be tied.
std::vector<Weight> matching_weights(const ExportedProgram& program, const std::vector<Weight>& stored,
                                     const std::vector<NamedTensor>& given);

}  // namespace pt2
