// Differences between the tensors of two programs.
#pragma once

#include <vector>

#include "pt2/archive/tensors/weights.h"
#include "pt2/diff/program_diff.h"

namespace pt2::tool {

/// Returns tensors by name that only one program has, that differ in kind, dtype or shape, or whose elements
/// differ. Ignores how they are stored. Throws DataError, with the name, of write_row_major().
std::vector<Difference> diff_weights(const std::vector<Weight>& a, const std::vector<Weight>& b);

}  // namespace pt2::tool
