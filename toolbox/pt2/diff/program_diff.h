// Differences between two programs, as data and as text.
#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "pt2/canonical/canonical.h"
#include "pt2/strings/argument_text.h"
#include "pt2/types.h"

namespace pt2 {

/// A part that only one program has, or that differs between them.
struct Difference {
  enum class Kind { added, removed, changed };
  Kind kind = Kind::changed;
  /// `schema`, `opset`, `constraints`, `guards`, `inputs`, `nodes`, `outputs`, `modules`, `metadata`,
  /// `values`.
  std::string part;
  /// The enclosing subgraphs, outermost first: `true_graph_0 of getitem`; empty in the top graph.
  std::string where;
  /// The lines in the first and second program, as program_text() prints them; empty if a program has none.
  std::string before;
  std::string after;
  /// The changes that the lines do not show: `argument "dim"`, `strides of y: [4, 1], then [1, 4]`.
  std::vector<std::string> details;
  /// The place in the first and second program, by names from the files: the node's first result, or the
  /// value of an input or output. In a subgraph, it comes after the first result of each enclosing node and
  /// the subgraph's name: {"getitem", "true_graph_0", "sin"}. Empty for other places, and for nodes without
  /// results.
  std::vector<std::string> at_before;
  std::vector<std::string> at_after;
};

/// Returns the differences from `a` to `b`; there are none exactly if the normal forms are equal. Matches as
/// many equal nodes in the same order as possible. Nodes between matches that have the same operator count as
/// changed. Values, subgraphs and modules are named as in their files, symbols as in the normal form.
std::vector<Difference> diff_programs(const NormalProgram& a, const NormalProgram& b);

/// Returns the output of `pt2 diff`: `- ` and a line of the first program, `+ ` and a line of the second,
/// with details in brackets, and then the number of differences.
std::string difference_text(const std::vector<Difference>& differences, Colours colours = Colours::none);

/// Returns an observer for run_passes() (edit/passes.h) that prints the changes of each pass as
/// difference_text() does. `out` must outlive it.
std::function<void(const std::string& pass, const ExportedProgram& before, const ExportedProgram& after)>
pass_printer(std::ostream& out);

}  // namespace pt2
