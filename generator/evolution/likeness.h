// Which types of two schemas look alike in files, whatever they are called.
#pragma once

#include <cstddef>
#include <vector>

#include "model/canonical.h"
#include "model/model.h"

namespace generator {

/// The types of two schemas in classes of those that look alike, and hold types that do: the numbers of the
/// classes, by index in each model.
struct Likeness {
  std::vector<std::size_t> before;
  std::vector<std::size_t> after;
};

/// `form` says what is looked at. Takes O(n log n) for n types and fields.
Likeness classify(const Model& before, const Model& after, Form form);

}  // namespace generator
