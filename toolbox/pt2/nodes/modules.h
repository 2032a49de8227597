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

/// One call of a module: what of the graph ran in it. A module that is called twice has two of these.
struct ModuleCall {
  std::string path;                  // from the root, `b.0.qkv`; of the root: empty
  std::string type;                  // its class, `torch.nn.modules.linear.Linear`; empty: not known
  std::size_t call = 0;              // which call of this module it is, from 0, as the tracer counted
  std::size_t parent = 0;            // index of the call that it was made in; of the root: its own
  std::size_t depth = 0;             // of the root: 0
  std::vector<std::size_t> nodes;    // of graph.nodes, those of inner calls included, in order
  std::vector<std::string> weights;  // graph inputs that its nodes read and that belong to the model
  std::vector<std::string> inputs;   // other values that its nodes read and that others make
  std::vector<std::string> outputs;  // values that its nodes make and that others, or the caller, read
};

/// The frames of a node's metadata `nn_module_stack`, outermost first. None if the node has no such metadata,
/// if it is empty (torch's deserialize_metadata() skips an empty text), or if it cannot be read: `fault`,
/// unless null, then says why.
std::vector<ModuleFrame> module_frames(const Node& node,
                                       std::optional<schemagen::DataError>* fault = nullptr);

/// The calls of modules in the main graph, by the metadata `nn_module_stack`: the root first, then in the
/// order of their first nodes, an outer call before those in it. Weights and inputs are in the order of their
/// first use, outputs in that in which they are made. A node without that metadata, or with the placeholder
/// that torch puts there, belongs to the root alone. Subgraphs are not looked into: a node's operands are
/// what it reads. So does a node whose stack cannot be read; the first such fault, with a path, goes to
/// `fault` unless that is null.
///
/// Errors: DataError with a path, if a `nn_module_stack` has more modules in each other than 256; DataError
/// if what the modules read and make is more than 256 MiB, as each has what those in it have.
std::vector<ModuleCall> module_calls(const GraphModule& module,
                                     std::optional<schemagen::DataError>* fault = nullptr);

}  // namespace pt2
