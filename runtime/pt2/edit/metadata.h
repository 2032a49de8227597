// Metadata of nodes, apart from them. All functions may be called from several threads at once, on different
// programs.
#pragma once

#include <cstddef>
#include <string>

#include "pt2/types.h"
#include "schemagen/value/map.h"

namespace pt2 {

/// What a program says of where its nodes come from, node by node. A node is known by its name, or by its
/// first result if it has none, or else by its number (`#3`); of one in a subgraph, the names of the
/// subgraphs that it is in come first, and of several that are called alike, those after the first have a
/// number behind: `true_graph_0/add`, `add#1`.
using NodeMetadata = schemagen::Map<schemagen::Map<std::string>>;

/// Takes the metadata out of all nodes of all graphs. Nodes without any are not in it. The program computes
/// what it did; most of a large program's text is metadata.
NodeMetadata take_metadata(ExportedProgram& program);

/// Gives nodes what `metadata` has for them, in place of what they have, and leaves the others as they are.
/// Returns how many entries no node was found for.
std::size_t put_metadata(ExportedProgram& program, const NodeMetadata& metadata);

}  // namespace pt2
