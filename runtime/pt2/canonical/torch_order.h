// Internal to torch_form.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pt2/canonical/torch_values.h"
#include "pt2/types.h"

namespace pt2 {

/// Returns torch's order: among the nodes whose operands are available, torch picks by operator, then by the
/// names and ranks of the arguments, and then by the original order. Throws DataError if a value is defined
/// twice or nodes depend on each other.
std::vector<std::uint32_t> torch_order(const Graph& graph, const TorchValues& values,
                                       const std::string& path);

}  // namespace pt2
