#pragma once

#include <optional>
#include <string>

#include "pt2/operators/operators.h"
#include "pt2/types.h"

namespace pt2::tool {

/// One object of the graph and its subgraphs:
///   inputs [{name, type, is: "parameter l1.weight", target: "l1.weight", or null if it is not a weight}];
///   nodes, in the order of their graphs, those of a subgraph after the graph that runs it:
///   [{name, graph: "" or "getitem/true_graph_0", module: the innermost, "b.0" or "b.0 (call 2)", or null;
///   operator, arguments [{name, text, default: whether the node omits it}], results [{name, type}],
///   metadata {key: text}}];
///   outputs [{name, is, text}].
/// `node` and `module` restrict it to one node, or to the nodes in one module. Throws UsageError, with
/// similar names, if there is no such node.
std::string show_json(const ExportedProgram& program, const OperatorSet& operators,
                      const std::optional<std::string>& node, const std::optional<std::string>& module);

}  // namespace pt2::tool
