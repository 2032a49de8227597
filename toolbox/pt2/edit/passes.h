// Passes, one after the other, and what they are often made of: nodes that nothing needs, items of lists,
// subgraphs and metadata taken out.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "pt2/operators/operators.h"
#include "pt2/types.h"
#include "schemagen/base/map.h"

namespace pt2 {

/// A function from program to program, with a name for people.
struct Pass {
  std::string name;
  std::function<ExportedProgram(ExportedProgram program)> run;
};

/// Sees what a pass has made of a program.
using PassObserver =
    std::function<void(const std::string& pass, const ExportedProgram& before, const ExportedProgram& after)>;

/// What the passes make of `program`, each of what the one before it made. `observe`, if it is not null, is
/// called after each; pass_printer() (program_diff.h) prints what changed. Errors: those of the
/// passes.
ExportedProgram run_passes(const std::vector<Pass>& passes, ExportedProgram program,
                           const PassObserver& observe = {});

/// Takes out the nodes of all graphs, subgraphs included, that no output needs, with what the tables say of
/// their results. What has effects stays, as has_effects() says, with all that it needs: assertions,
/// mutations, random numbers, operators that are not known. So does what a module's signature names, and what
/// gives an unbacked symbol its value that other values have in their sizes. Returns how many were taken out.
/// O(nodes).
std::size_t drop_dead_nodes(ExportedProgram& program, const OperatorSet& operators = {});

/// Takes out the nodes of all graphs that pick an item of a list which they are given item by item, as
/// `getitem([a, b], 1)` does: where their results were used, the items are. Returns how many were taken out.
/// O(nodes).
std::size_t fold_getitems(ExportedProgram& program);

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

// Metadata of nodes, apart from them.

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
