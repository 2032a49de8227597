// Lifts constants out of graphs of schema 1 (torch 2.1), which contain pickled tensors. Later schemas store
// these outside the program and list them as inputs. Source: PyTorch's serialize.py of 2.1.2,
// GraphModuleSerializer.serialize_input and serialize_graph.
#pragma once

#include <cstddef>

#include "pt2/upgrade/upgrade.h"

namespace pt2::from_1 {

/// Removes `constants` from the program's top-level graph. These are torch.save files encoded as base64, by
/// name. Passes each file to context.read_constant(), and adds the constant as a tensor value and as an input
/// before the input at `position`. Returns the number of constants. Throws DataError if a constant is not
/// base64, cannot be read, or has the name of another value.
std::size_t lift_constants(schemagen::DomValue& graph, std::size_t position, const UpgradeContext& context);

/// Removes the constants of a GraphArgument. Throws DataError unless they are empty, because the caller of
/// the graph would have to pass them.
void drop_constants_of_subgraph(schemagen::DomValue& argument, const UpgradeContext& context);

}  // namespace pt2::from_1
