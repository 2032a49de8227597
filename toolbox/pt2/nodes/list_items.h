// Lists as single arguments.
#pragma once

#include <optional>
#include <vector>

#include "pt2/types.h"

namespace pt2 {

/// The items of a list, each as an argument by itself; of lists of lists, lists; in place of symbolic numbers
/// that are literals, literals, and as_none where a tensor is left out. nullopt: it is no list.
std::optional<std::vector<Argument>> items_of(const Argument& argument);

}  // namespace pt2
