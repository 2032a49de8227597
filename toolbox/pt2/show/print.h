// Prints programs as readable text.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "pt2/strings/argument_text.h"
#include "pt2/types.h"

namespace pt2 {

struct PrintOptions {
  Colours colours = Colours::none;
  /// The path of a module, which is empty for the root. If this is set, only the module's nodes in the
  /// top-level graph are printed, without inputs, outputs and symbols.
  std::optional<std::string> module;
  /// If this is set, module calls nested deeper than this are printed as one line each. With `depth` or
  /// `fold`, inputs and outputs other than the user's are only counted.
  std::optional<std::size_t> depth;
  /// Whether to print only the first of several module calls that perform the same computation.
  bool fold = false;
  bool source = false;  // whether to print the innermost line of user code below each node, if known
};

/// Throws UsageError, with similar names, if the program has no such module.
void require_module(const ExportedProgram& program, const std::string& path);

/// Returns the graph and its signature as text. There is one line per node, and subgraphs are indented below
/// the node that takes them. For example:
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
/// The program is not validated: values that are missing from the tables have no type in the text, and inputs
/// and outputs without a spec are marked `not in the signature`. Strides, metadata and hints are not shown.
/// Keyword arguments are shown with their names. Files of torch up to 2.6 do not record which arguments are
/// keyword arguments; in such files, all arguments after the leading values are shown with their names. The
/// text ends with a line break.
///
/// Throws whatever require_module() throws, and DataError if an option needs modules but the module metadata
/// is malformed.
std::string program_text(const ExportedProgram& program, const PrintOptions& options = {});

}  // namespace pt2
