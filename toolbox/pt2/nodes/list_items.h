#pragma once

#include <optional>
#include <vector>

#include "pt2/types.h"

namespace pt2 {

/// Returns the items of a list, or nullopt if the argument is not a list. Symbolic items that contain
/// literals become literals; missing tensors become as_none.
std::optional<std::vector<Argument>> items_of(const Argument& argument);

/// Returns a list of these items, or an unset argument if no list can hold them. Items of lists are lists. If
/// `are_optional` is true, a list of tensors can hold as_none, even if it does not.
Argument list_of_items(std::vector<Argument> items, bool are_optional = false);

/// Returns an optional tensor or a symbolic value as what it contains, and other arguments unchanged.
Argument without_wrapper(const Argument& argument);

}  // namespace pt2
