// Decides which nodes print.h prints and which it summarizes.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "pt2/show/print.h"
#include "pt2/types.h"

namespace pt2 {

struct Stretch {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string text;
};

/// Returns the nodes of the main graph in order, without those that the options exclude. Throws DataError as
/// module_calls() does if an option needs modules.
std::vector<Stretch> stretches_of(const GraphModule& module, const PrintOptions& options);

}  // namespace pt2
