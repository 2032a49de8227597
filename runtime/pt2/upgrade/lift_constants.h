// The tensors that graphs of schema 1 (torch 2.1) kept pickled among their values. Later schemas have them
// beside the program, and as inputs of its graph.
// Source: PyTorch's serialize.py of 2.1.2, GraphModuleSerializer.serialize_input and serialize_graph.
#pragma once

#include <cstddef>

#include "pt2/upgrade/upgrade.h"

namespace pt2::from_1 {

/// Takes `constants` out of `graph`, the whole program's: names of values, each with a file of torch.save in
/// base64. Each goes to context.read_constant(), and becomes an input, before the one at `position`, and a
/// tensor value. Returns how many there are. Errors: DataError if a constant is not base64, cannot be read,
/// or has the name of another value.
std::size_t lift_constants(schemagen::DomValue& graph, std::size_t position, const UpgradeContext& context);

/// GraphArgument: `constants` of its graph go. Errors: DataError if there are any, as who calls the graph
/// would have to pass them on.
void drop_constants_of_subgraph(schemagen::DomValue& argument, const UpgradeContext& context);

}  // namespace pt2::from_1
