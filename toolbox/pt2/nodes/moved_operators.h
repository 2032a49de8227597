#pragma once

#include <string>
#include <string_view>

#include "pt2/types.h"

namespace pt2 {

struct MovedOperator {
  std::string_view target;
  std::string_view device;
  std::string_view since;  // the first release without the kernel, e.g. `2.3`
  std::string_view now;
};

/// Returns the operator that `node` calls if `release` (e.g. `2.6`) has no kernel for the device of the
/// node's first tensor; otherwise null.
const MovedOperator* find_moved(const Node& node, const Graph& graph, std::string_view release);

std::string moved_text(const MovedOperator& moved);

}  // namespace pt2
