// The tensors that graphs of schema 1 (torch 2.1) kept pickled among their values. Later schemas have them
// beside the program, and as inputs of its graph.
// Source: PyTorch's serialize.py of 2.1.2, GraphModuleSerializer.serialize_input and serialize_graph.
#pragma once

#include "pt2/upgrade/upgrade_step.h"

namespace pt2::from_1 {

/// Takes `constants` out of `graph`, the whole program's: names of values, each with a file of torch.save in
/// base64. Each becomes an input, before the one at `position`, and a tensor value, and its tensor goes to
/// context.keep_constant(). Returns how many there are. Nothing that is pickled is run. Errors: DataError if
/// a file is no tensor that is strided, names a global that weights_only refuses, or is damaged, or if there
/// is another value of that name.
rapidjson::SizeType lift_constants(rapidjson::Value& graph, rapidjson::SizeType position,
                                   const UpgradeContext& context);

/// GraphArgument: `constants` of its graph go. Errors: DataError if there are any, as who calls the graph
/// would have to pass them on.
void drop_constants_of_subgraph(rapidjson::Value& argument, const UpgradeContext& context);

}  // namespace pt2::from_1
