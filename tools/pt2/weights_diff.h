// What differs between the tensors of two programs.
#pragma once

#include <vector>

#include "pt2/archive/tensors/weights.h"
#include "pt2/diff/program_diff.h"

namespace pt2::tool {

/// By name: tensors that one of them has only, those of another kind, dtype or shape, and those with other
/// elements. How they lie in their storages is no difference. Errors: DataError, with the name, of
/// write_row_major().
std::vector<Difference> diff_weights(const std::vector<Weight>& a, const std::vector<Weight>& b);

}  // namespace pt2::tool
