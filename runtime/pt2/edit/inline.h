// Subgraphs put into the graphs that call them. All functions may be called from several threads at once, on
// different programs.
#pragma once

#include <cstddef>

#include "pt2/types.h"

namespace pt2 {

/// Puts the nodes of the subgraph that node number `at` of `graph` calls in the place of that node; `graph`
/// is that of `program` or a subgraph of it. Its results keep their names, but those that only pass an input
/// on.
///
/// That can be done of operators that run one subgraph once, such as wrap_with_set_grad_enabled,
/// invoke_subgraph, hints_wrapper, strict_mode and those of checkpointing, whose modes are gone then: the
/// values stay, how gradients are computed may change. And of cond, if its condition is a literal. Errors:
/// UsageError, and the program is as it was, if it is another node; or if it does not give its subgraph as
/// many values as this takes.
void inline_subgraph(ExportedProgram& program, Graph& graph, std::size_t at);

/// Does so with all nodes of all graphs where it can be done, and returns how many these were. What stands in
/// the subgraph that a cond does not run is gone.
std::size_t inline_subgraphs(ExportedProgram& program);

}  // namespace pt2
