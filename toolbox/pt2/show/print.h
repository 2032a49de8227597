// Prints programs as readable text.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "pt2/strings/argument_text.h"
#include "pt2/types.h"

namespace pt2 {

/// Returns the graph with its signature: one line per node, subgraphs indented below their node.
///
///     inputs
///       p  bool[]  user input
///       x  f32[3]  user input
///
///     nodes
///       getitem: f32[3] = higher_order.cond(p, true_graph_0, false_graph_0, [x])
///         true_graph_0(x: f32[3]):
///           sin: f32[3] = aten.sin.default(x)
///           return sin
///
/// The program is not validated: entries that are missing in tables or the signature are left out. Strides,
/// metadata and hints are not shown. Keyword arguments are shown with their names; in files that do not
/// record which arguments are keywords (torch up to 2.6), all arguments after the leading values are. Ends
/// with a line break.
std::string program_text(const ExportedProgram& program, Colours colours = Colours::none);

struct PrintOptions {
  Colours colours = Colours::none;
  /// Prints only the nodes of this module in the main graph, without inputs, outputs and symbols. The path is
  /// empty for the root.
  std::optional<std::string> module;
  /// Prints calls of modules that are nested deeper than this as one line each. With `depth` or `fold`,
  /// inputs and outputs other than the user's are only counted.
  std::optional<std::size_t> depth;
  bool fold = false;    // print only the first of several module calls that do the same
  bool source = false;  // print the innermost line of user code below each node, if known
};

/// Does the same with options. Throws DataError if an option needs modules and their metadata is malformed.
std::string program_text(const ExportedProgram& program, const PrintOptions& options);

}  // namespace pt2
