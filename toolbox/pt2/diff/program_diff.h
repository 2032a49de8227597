// Compares two programs and returns their differences as data or as text.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "pt2/canonical/canonical.h"
#include "pt2/strings/argument_text.h"
#include "pt2/types.h"

namespace pt2 {

/// A part that only one program has, or that differs between the programs.
struct Difference {
  enum class Kind { added, removed, changed };
  Kind kind = Kind::changed;
  /// The kind of part: `schema`, `opset`, `constraints`, `guards`, `inputs`, `nodes`, `outputs`, `modules`,
  /// `metadata` or `values` (descriptions of values that no input and no node defines).
  std::string part;
  /// The enclosing subgraphs, outermost first, e.g. `true_graph_0 of getitem`. Empty in the top-level graph.
  std::string where;
  /// The part's lines in the first and in the second program, as program_text() prints them. Empty if that
  /// program lacks the part.
  std::string before;
  std::string after;
  /// The changes that the lines do not show, e.g. `argument "dim"` or `strides of y: [4, 1], then [1, 4]`.
  std::vector<std::string> details;
  /// The place in the first and in the second program, as names from the files. The last item is the node's
  /// first result, or the value of an input or output. In a subgraph, each enclosing node's first result and
  /// the subgraph's name come before it, outermost first, as in {"getitem", "true_graph_0", "sin"}. Empty for
  /// parts of other kinds, and for nodes without results.
  std::vector<std::string> at_before;
  std::vector<std::string> at_after;
  /// The largest difference of two finite elements of a changed tensor, and the largest quotient of a
  /// difference and the magnitude of the first program's element, where that is not 0. Missing for complex
  /// tensors, and if no two such elements differ.
  std::optional<double> largest_absolute = std::nullopt;
  std::optional<double> largest_relative = std::nullopt;
};

/// More are neither readable nor affordable: a file of 20 MB can have millions.
inline constexpr std::size_t kMostDifferences = 200'000;

/// Returns the differences from `a` to `b`. There are none if and only if the normal forms are equal. If
/// there are more than kMostDifferences, the last one says so in its details. Matches as many equal nodes as
/// possible without changing their order. Between two matches, nodes with the same operator count as changed.
/// The result contains the names that values, symbols, subgraphs and modules have in their files.
std::vector<Difference> diff_programs(const NormalProgram& a, const NormalProgram& b);

/// Returns the output of `pt2 diff`. Lines of the first program start with `- `, lines of the second program
/// start with `+ `, and details are in brackets. The number of differences comes last.
std::string difference_text(const std::vector<Difference>& differences, Colours colours = Colours::none);

/// Returns an observer for run_passes() (see edit/passes.h) that prints each pass's changes to `out`, in the
/// same form as difference_text(). `out` must outlive the observer.
std::function<void(const std::string& pass, const ExportedProgram& before, const ExportedProgram& after)>
pass_printer(std::ostream& out);

}  // namespace pt2
