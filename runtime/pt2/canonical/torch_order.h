// The order of nodes that torch's canonicalize gives: a part of torch_form.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pt2/canonical/torch_values.h"
#include "pt2/types.h"

namespace pt2 {

/// Indices of the nodes of `graph`, of which `values` are, in torch's order: of those whose operands are
/// there, by operator, then by names and ranks of the arguments, then as they stood. `path` is that of the
/// graph. Errors: DataError if a value is defined twice, or nodes need each other.
std::vector<std::uint32_t> torch_order(const Graph& graph, const TorchValues& values,
                                       const std::string& path);

}  // namespace pt2
