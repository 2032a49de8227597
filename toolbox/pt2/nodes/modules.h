// Finds the modules that a program was traced from.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "pt2/graph/index.h"
#include "pt2/strings/node_metadata.h"
#include "pt2/types.h"
#include "schemagen/base/error.h"

namespace pt2 {

/// One call to a module, and the part of the graph that ran during the call. A module that is called twice
/// has two ModuleCalls.
struct ModuleCall {
  std::string path;  // the module's path from the root, e.g. `b.0.qkv`; empty for the root
  std::string type;  // the module's class, e.g. `torch.nn.modules.linear.Linear`; empty if unknown
  /// The number of this call among the module's calls, counting from 0 as the tracer does.
  std::size_t call = 0;
  std::size_t parent = 0;            // index of the enclosing call; the root is its own parent
  std::size_t depth = 0;             // 0 for the root
  std::vector<std::size_t> nodes;    // indices in graph.nodes, in order, including nodes of inner calls
  std::vector<std::string> weights;  // graph inputs that belong to the model and that this call's nodes read
  std::vector<std::string> inputs;   // other values that this call's nodes read but do not compute
  std::vector<std::string> outputs;  // values that this call's nodes compute and that are read outside it
};

/// Returns the frames of a node's `nn_module_stack`, outermost first. Returns no frames if the metadata is
/// missing, empty (torch's deserialize_metadata() also skips empty metadata) or malformed. If it is malformed
/// and `fault` is not null, stores the error in `fault`.
std::vector<ModuleFrame> module_frames(const Node& node,
                                       std::optional<schemagen::DataError>* fault = nullptr);

/// Returns the calls to modules in the top-level graph, according to `nn_module_stack`. The root comes first;
/// the others follow in the order of their first nodes, outer calls before inner ones. Weights and inputs are
/// in order of first use, and outputs in order of definition. A node belongs only to the root if its stack is
/// missing, malformed, or torch's placeholder. If `fault` is not null, it receives the error for the first
/// malformed stack, with a path. Subgraphs are not searched: a node counts as reading only its operands.
///
/// Throws DataError, with a path, if a stack is deeper than 256 modules, or if the lists in the result take
/// more than 256 MiB. They can be that large because each outer call repeats the nodes of its inner calls.
std::vector<ModuleCall> module_calls(const GraphModule& module,
                                     std::optional<schemagen::DataError>* fault = nullptr);
/// `values` is the index of the top-level graph.
std::vector<ModuleCall> module_calls(const GraphModule& module, const GraphIndex& values,
                                     std::optional<schemagen::DataError>* fault = nullptr);

}  // namespace pt2
