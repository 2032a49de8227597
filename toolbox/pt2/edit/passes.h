// Runs passes over programs, and provides common ones: dropping dead nodes, folding lists and inlining
// subgraphs.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "pt2/operators/operators.h"
#include "pt2/types.h"
#include "schemagen/base/map.h"

namespace pt2 {

/// A function that transforms a program, and a name to print for it.
struct Pass {
  std::string name;
  std::function<ExportedProgram(ExportedProgram program)> run;
};

/// A function to call with a pass's name and with the program before and after the pass.
using PassObserver =
    std::function<void(const std::string& pass, const ExportedProgram& before, const ExportedProgram& after)>;

/// Runs `passes` on `program`, in order, and returns the result. Calls `observe` after each pass unless it is
/// null; pass_printer() (program_diff.h) returns an observer that prints the changes. Throws whatever the
/// passes throw.
ExportedProgram run_passes(const std::vector<Pass>& passes, ExportedProgram program,
                           const PassObserver& observe = {});

/// Removes, in all graphs, the nodes that no output depends on, along with the table entries for their
/// results. Keeps nodes with effects (see has_effects()), such as assertions, mutations, random numbers and
/// unknown operators, and the nodes that these depend on. Also keeps nodes whose results are named in module
/// signatures or define an unbacked symbol in the sizes of other values. Returns the number of removed nodes.
/// Takes O(nodes) time.
std::size_t drop_dead_nodes(ExportedProgram& program, const OperatorSet& operators = {});

/// In all graphs, replaces each node that picks an item from a list of known items, such as
/// `getitem([a, b], 1)`, with that item. Returns the number of removed nodes. Takes O(nodes) time.
std::size_t fold_getitems(ExportedProgram& program);

/// In all graphs, replaces each node that runs one subgraph exactly once with the nodes of the subgraph, for
/// operators such as wrap_with_set_grad_enabled, invoke_subgraph, hints_wrapper, strict_mode and the
/// checkpointing operators. Results keep their names, except results that are just an input of the subgraph.
/// The mode that such an operator sets is lost: the program computes the same values, but gradients might be
/// computed differently. Also replaces a cond whose condition is a literal; its other branch is dropped.
/// Keeps nodes that pass the wrong number of values to their subgraphs. Returns the number of inlined
/// subgraphs.
std::size_t inline_subgraphs(ExportedProgram& program);

/// In all graphs, removes higher-order calls without results, which torch exports, e.g. for a no_grad block
/// whose results are unused, but cannot load: inlines their subgraphs if inline_subgraphs() can, and drops
/// the other calls if they have no effects. Returns the number of removed calls. Takes O(nodes) time.
std::size_t drop_calls_without_results(ExportedProgram& program);

}  // namespace pt2
