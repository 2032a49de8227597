// Items of lists. All functions may be called from several threads at once, on different programs.
#pragma once

#include <cstddef>

#include "pt2/types.h"

namespace pt2 {

/// Takes out the nodes of all graphs that pick an item of a list which they are given item by item, as
/// `getitem([a, b], 1)` does: where their results were used, the items are. Returns how many were taken out.
/// O(nodes).
std::size_t fold_getitems(ExportedProgram& program);

}  // namespace pt2
