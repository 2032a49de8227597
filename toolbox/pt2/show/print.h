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
/// The program is not validated: entries missing in tables or the signature are omitted. Strides, metadata
/// and hints are not shown. Keyword arguments have names; in files that do not record keywords (torch up
/// to 2.6), all arguments after the leading values have. Ends with a line break.
std::string program_text(const ExportedProgram& program, Colours colours = Colours::none);

struct PrintOptions {
  Colours colours = Colours::none;
  /// Print only the nodes of this module in the main graph, without inputs, outputs and symbols. A path;
  /// empty for the root.
  std::optional<std::string> module;
  /// Print calls of modules nested deeper than this as one line each. With `depth` or `fold`, other inputs
  /// and outputs than the user's are counted in one line.
  std::optional<std::size_t> depth;
  bool fold = false;    // print only the first of the calls in a module that do the same
  bool source = false;  // print the innermost line of user code below each node, if known
};

/// The same with options. Throws DataError if an option needs modules and their metadata is malformed.
std::string program_text(const ExportedProgram& program, const PrintOptions& options);

}  // namespace pt2
