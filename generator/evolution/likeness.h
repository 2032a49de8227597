#pragma once

#include <cstddef>
#include <vector>

#include "model/canonical.h"
#include "model/model.h"

namespace generator {

/// The class of each type, indexed by the type's index in each model. Types of the same class have the same
/// encoding at all levels.
struct Likeness {
  std::vector<std::size_t> before;
  std::vector<std::size_t> after;
};

/// Takes O(n log n) time for n types and fields.
Likeness classify(const Model& before, const Model& after, Form form);

}  // namespace generator
