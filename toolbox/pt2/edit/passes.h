// Passes over programs, and common ones: dropping dead nodes, folding lists, inlining subgraphs, removing
// metadata.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "pt2/operators/operators.h"
#include "pt2/types.h"
#include "schemagen/base/map.h"

namespace pt2 {

/// A function that turns one program into another, with a name to print.
struct Pass {
  std::string name;
  std::function<ExportedProgram(ExportedProgram program)> run;
};

/// Called with a pass's name and the program before and after it.
using PassObserver =
    std::function<void(const std::string& pass, const ExportedProgram& before, const ExportedProgram& after)>;

/// Returns `program` after all `passes`, in order. Calls `observe`, unless it is null, after each;
/// pass_printer() (program_diff.h) prints the changes. Throws what the passes throw.
ExportedProgram run_passes(const std::vector<Pass>& passes, ExportedProgram program,
                           const PassObserver& observe = {});

/// Removes nodes that no output needs, from all graphs, with the table entries of their results. Keeps nodes
/// with effects (see has_effects()) and what these need: assertions, mutations, random numbers, unknown
/// operators. Also keeps nodes whose results are named in module signatures, or define an unbacked symbol in
/// the sizes of other values. Returns the number of removed nodes. O(nodes).
std::size_t drop_dead_nodes(ExportedProgram& program, const OperatorSet& operators = {});

/// In all graphs, removes nodes that pick an item of a list whose items are given, such as `getitem([a, b],
/// 1)`, and uses the item instead. Returns the number of removed nodes. O(nodes).
std::size_t fold_getitems(ExportedProgram& program);

/// Replaces node `at` of `graph`, a graph of `program`, with the nodes of the subgraph that it calls. Results
/// keep their names, except those that are just an input of the subgraph.
///
/// Works for operators that run one subgraph once: wrap_with_set_grad_enabled, invoke_subgraph,
/// hints_wrapper, strict_mode and those for checkpointing. Their modes are lost: values stay the same, but
/// gradients may be computed differently. Also works for cond if its condition is a literal. Throws
/// UsageError, and leaves the program unchanged, for any other node, and if the node passes the wrong number
/// of values to its subgraph.
void inline_subgraph(ExportedProgram& program, Graph& graph, std::size_t at);

/// Inlines all subgraphs in all graphs that can be inlined. Returns their number. If a cond is inlined, its
/// other branch is dropped.
std::size_t inline_subgraphs(ExportedProgram& program);

/// Metadata by node. The key of a node is its name; if it has none, its first result; if it has no result
/// either, its number (`#3`). In a subgraph, the names of the enclosing subgraphs come first. If several
/// nodes have the same key, all except the first get a number: `true_graph_0/add`, `add#1`.
using NodeMetadata = schemagen::Map<schemagen::Map<std::string>>;

/// Removes the metadata from all nodes of all graphs and returns it, without nodes that had none. The program
/// computes the same results. Metadata is most of a large program's text.
NodeMetadata take_metadata(ExportedProgram& program);

/// Replaces the metadata of the nodes that `metadata` names. Returns the number of entries that match no
/// node.
std::size_t put_metadata(ExportedProgram& program, const NodeMetadata& metadata);

}  // namespace pt2
