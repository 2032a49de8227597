#pragma once

#include <optional>
#include <vector>

#include "pt2/types.h"

namespace pt2 {

/// Returns the items of a list, or nullopt if the argument is not a list. Symbolic items that contain
/// literals become literals; missing tensors become as_none.
std::optional<std::vector<Argument>> items_of(const Argument& argument);

}  // namespace pt2
