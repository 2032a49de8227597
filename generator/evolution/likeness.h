#pragma once

#include <cstddef>
#include <vector>

#include "model/canonical.h"
#include "model/model.h"

namespace generator {

/// Classes of types with the same encoding at all levels, by index of the type in each model.
struct Likeness {
  std::vector<std::size_t> before;
  std::vector<std::size_t> after;
};

/// Returns the classes. Takes O(n log n) time for n types and fields.
Likeness classify(const Model& before, const Model& after, Form form);

}  // namespace generator
