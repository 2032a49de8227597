#pragma once

#include <optional>
#include <vector>

#include "pt2/types.h"

namespace pt2 {

/// Returns the items; nullopt if it is not a list. Symbolic items that hold literals become literals; missing
/// tensors become as_none.
std::optional<std::vector<Argument>> items_of(const Argument& argument);

}  // namespace pt2
