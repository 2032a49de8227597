#pragma once

#include <optional>
#include <string>

#include "pt2/operators/operators.h"
#include "pt2/types.h"

namespace pt2::tool {

/// {inputs [{name, type, is: "parameter l1.weight", target: "l1.weight", or null if it is not a weight}];
///  nodes, each subgraph's after the graph that runs it: [{name, graph: "" or "getitem/true_graph_0",
///    module: the innermost, "b.0" or "b.0 (call 2)", or null; operator,
///    arguments [{name, text, default: whether the node omits it}], results [{name, type}],
///    metadata {key: text}}];
///  outputs [{name, is, text}]}.
/// Only one `node`, or the nodes in one `module`, if given. Throws UsageError, with similar names, if there
/// is none.
std::string show_json(const ExportedProgram& program, const OperatorSet& operators,
                      const std::optional<std::string>& node, const std::optional<std::string>& module);

}  // namespace pt2::tool
