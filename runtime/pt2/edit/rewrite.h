// Patterns replaced. All functions may be called from several threads at once, on different programs.
#pragma once

#include <cstddef>
#include <functional>

#include "pt2/edit/pattern.h"
#include "pt2/graph/operators.h"
#include "pt2/types.h"

namespace pt2 {

/// Makes what is to take the place of a match: a graph whose inputs are called as inputs of the pattern, and
/// that has an output for each of the pattern's.
using MakeReplacement = std::function<Graph(const Graph& graph, const Match& match)>;

/// Puts what `make` gives in the place of each match of `pattern` in all graphs of `program`, subgraphs
/// included, and returns how many these were. What is put in is not looked at again.
///
/// New nodes stand where the last node of the match did, and have its metadata if they have none. The results
/// that stand for the pattern's outputs keep the names and metas that these have in the program; all others
/// get names that are free. Nodes of a match stay if values of theirs that are no outputs are used outside,
/// which Pattern::allow_outside_users allows.
///
/// O(nodes) beside what match() takes. Errors: those of match(); UsageError, if a replacement has an input
/// that the pattern does not have, another number of outputs, or something stands where it cannot. Then the
/// program may have been rewritten in part.
std::size_t rewrite(ExportedProgram& program, const Pattern& pattern, const MakeReplacement& make,
                    const OperatorSet& operators = {});

/// The same with one graph for all matches. Tensors in it whose metas are there those of one of its inputs
/// have that of what stands for the input; all others, but for outputs, the meta that they have.
std::size_t rewrite(ExportedProgram& program, const Pattern& pattern, const Graph& replacement,
                    const OperatorSet& operators = {});

}  // namespace pt2
