// The modules that a program was traced from.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "pt2/strings/node_metadata.h"
#include "pt2/types.h"
#include "schemagen/base/error.h"

namespace pt2 {

/// One call of a module, with the part of the graph that ran in it. A module that is called twice has two of
/// these.
struct ModuleCall {
  std::string path;                  // from the root, `b.0.qkv`; empty for the root
  std::string type;                  // the class, `torch.nn.modules.linear.Linear`; empty if unknown
  std::size_t call = 0;              // number of this call of the module, counted from 0 by the tracer
  std::size_t parent = 0;            // index of the enclosing call; the root's own index for the root
  std::size_t depth = 0;             // 0 for the root
  std::vector<std::size_t> nodes;    // indices in graph.nodes, including nodes of inner calls, in order
  std::vector<std::string> weights;  // graph inputs that belong to the model and are read by its nodes
  std::vector<std::string> inputs;   // other values from outside that are read by its nodes
  std::vector<std::string> outputs;  // values of its nodes that are read outside
};

/// Returns the frames of a node's `nn_module_stack`, outermost first. Returns none if the metadata is
/// missing, empty (which torch's deserialize_metadata() skips) or malformed; if malformed, also sets `fault`
/// unless it is null.
std::vector<ModuleFrame> module_frames(const Node& node,
                                       std::optional<schemagen::DataError>* fault = nullptr);

/// Returns the calls of modules in the main graph, from `nn_module_stack`: the root first, then in the order
/// of their first nodes, outer calls before inner ones. Weights and inputs are in order of first use, outputs
/// in order of definition. Nodes without this metadata, with torch's placeholder or with a malformed stack
/// belong to the root only. The first malformed stack, with a path, is stored in `fault` unless it is null.
/// Subgraphs are not entered; a node reads only its operands.
///
/// Throws DataError, with a path, if a stack is deeper than 256 modules, or if the lists of values take more
/// than 256 MiB (outer modules repeat those of inner ones).
std::vector<ModuleCall> module_calls(const GraphModule& module,
                                     std::optional<schemagen::DataError>* fault = nullptr);

}  // namespace pt2
