// Finds types of two schemas that have the same encoding, whatever their names.
#pragma once

#include <cstddef>
#include <vector>

#include "model/canonical.h"
#include "model/model.h"

namespace generator {

/// The class of each type, by index in each model. Types in one class have the same encoding, all the way
/// down.
struct Likeness {
  std::vector<std::size_t> before;
  std::vector<std::size_t> after;
};

/// Classifies types by `form`. Takes O(n log n) for n types and fields.
Likeness classify(const Model& before, const Model& after, Form form);

}  // namespace generator
