// Operators that PyTorch no longer runs on a device where an earlier release did.
#pragma once

#include <string>
#include <string_view>

#include "pt2/types.h"

namespace pt2 {

struct MovedOperator {
  std::string_view target;  // Node.target
  std::string_view device;  // the type that lost its kernel: `cpu`
  std::string_view since;   // the first release without it: `2.3`
  std::string_view now;     // the operator that this device has instead
};

/// Returns the operator that `node` of `graph` calls, if `release` (`2.6`) has no kernel for the device of
/// the first tensor; otherwise null.
const MovedOperator* find_moved(const Node& node, const Graph& graph, std::string_view release);

/// `moved to aten.b.default on the device cpu in torch 2.3`
std::string moved_text(const MovedOperator& moved);

}  // namespace pt2
