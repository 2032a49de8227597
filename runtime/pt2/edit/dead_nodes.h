// Nodes that nothing needs. All functions may be called from several threads at once, on different programs.
#pragma once

#include <cstddef>

#include "pt2/graph/operators.h"
#include "pt2/types.h"

namespace pt2 {

/// Takes out the nodes of all graphs, subgraphs included, that no output needs, with what the tables say of
/// their results. What has effects stays, as has_effects() says, with all that it needs: assertions,
/// mutations, random numbers, operators that are not known. So does what a module's signature names, and what
/// gives an unbacked symbol its value that other values have in their sizes. Returns how many were taken out.
/// O(nodes).
std::size_t drop_dead_nodes(ExportedProgram& program, const OperatorSet& operators = {});

}  // namespace pt2
