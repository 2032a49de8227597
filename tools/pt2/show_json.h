// The output of `pt2 show --json`.
#pragma once

#include <optional>
#include <string>

#include "pt2/operators/operators.h"
#include "pt2/types.h"

namespace pt2::tool {

/// One object of the graph and its subgraphs:
///   inputs [{name, type, is: "parameter l1.weight", target: "l1.weight", null of those that are no
///   weights}]; nodes, in the order of their graphs, those of subgraphs after the whole graph that runs them:
///   [{name, graph: "" or "getitem/true_graph_0", module: the innermost, "b.0" or "b.0 (call 2)", or null;
///   operator, arguments [{name, text, default: whether the node leaves it out}], results [{name, type}],
///   metadata {key: text}}];
///   outputs [{name, is, text}].
/// Only the node called `node`, and only nodes of the module at the path `module`, with those in it, where
/// they are given. What nodes call is among `operators`. Errors: UsageError, with names that are near, if
/// there is no such node.
std::string show_json(const ExportedProgram& program, const OperatorSet& operators,
                      const std::optional<std::string>& node, const std::optional<std::string>& module);

}  // namespace pt2::tool
