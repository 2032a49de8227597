#pragma once

#include <cstddef>
#include <vector>

#include "model/canonical.h"
#include "model/model.h"

namespace generator {

/// By index in each model. Types of one class have the same encoding, all the way down.
struct Likeness {
  std::vector<std::size_t> before;
  std::vector<std::size_t> after;
};

/// O(n log n) for n types and fields.
Likeness classify(const Model& before, const Model& after, Form form);

}  // namespace generator
