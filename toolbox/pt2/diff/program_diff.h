// What differs between two programs, also as text for people.
#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "pt2/canonical/canonical.h"
#include "pt2/strings/argument_text.h"
#include "pt2/types.h"

namespace pt2 {

/// Something that only one program has, or that is different in the other.
struct Difference {
  enum class Kind { added, removed, changed };
  Kind kind = Kind::changed;
  /// `schema`, `opset`, `constraints`, `guards`, `inputs`, `nodes`, `outputs`, `modules`, `metadata`,
  /// `values`.
  std::string part;
  /// The subgraph that it is in, from the outside in: `true_graph_0 of getitem`; empty in the top graph.
  std::string where;
  /// The line in the first and in the second program, nodes and values as program_text() shows them; empty
  /// where there is none.
  std::string before;
  std::string after;
  /// What of it changed, as far as the lines do not show it: `argument "dim"`, `strides of y: [4, 1], then
  /// [1, 4]`.
  std::vector<std::string> details;
  /// Where it is in the first and in the second program: the node's first result, or the value of an input or
  /// output, as the file calls it; in subgraphs behind the first result of each node that holds one, and the
  /// name of that: {"getitem", "true_graph_0", "sin"}. Empty: elsewhere, or of a node without results.
  std::vector<std::string> at_before;
  std::vector<std::string> at_after;
};

/// What changed from `a` to `b`: empty if and only if the two normal forms are the same.
///
/// As many nodes as possible are matched that do the same in the same order; of the nodes between matches,
/// those with the same operator count as changed. Values, subgraphs and modules have the names of their
/// files; symbols those of the normal form.
std::vector<Difference> diff_programs(const NormalProgram& a, const NormalProgram& b);

/// What `pt2 diff` prints: lines with `- ` that the first program has, with `+ ` that the second has, in
/// brackets what of it changed, and how many differences there are.
std::string difference_text(const std::vector<Difference>& differences, Colours colours = Colours::none);

/// What run_passes() (edit/passes.h) is given to print, as difference_text(), what each pass changed:
/// `fuse:`, then the differences. `out` must outlive it.
std::function<void(const std::string& pass, const ExportedProgram& before, const ExportedProgram& after)>
pass_printer(std::ostream& out);

}  // namespace pt2
