#pragma once

#include <vector>

#include "pt2/archive/tensors/weights.h"
#include "pt2/diff/program_diff.h"

namespace pt2 {

/// Returns the tensors, by name, that only one program has or that differ in kind, dtype, shape or elements,
/// however they are stored. Throws DataError, with the tensor's name, if write_row_major() does.
std::vector<Difference> diff_weights(const std::vector<Weight>& a, const std::vector<Weight>& b);

}  // namespace pt2
