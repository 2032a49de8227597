#pragma once

#include <vector>

#include "pt2/archive/tensors/weights.h"
#include "pt2/diff/program_diff.h"

namespace pt2 {

/// Tensors, by name, that only one program has or that differ in kind, dtype, shape or elements, however they
/// are stored. Throws the DataErrors of write_row_major(), with the name.
std::vector<Difference> diff_weights(const std::vector<Weight>& a, const std::vector<Weight>& b);

}  // namespace pt2
