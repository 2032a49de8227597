// A program as text for people.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "pt2/strings/argument_text.h"
#include "pt2/types.h"

namespace pt2 {

/// The graph with its signature, a node a line, subgraphs indented below the node that takes them:
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
/// Nothing is checked: what a table or the signature lacks is left out. Strides, metadata and hints are not
/// shown. Arguments that are keywords have their names; in files that do not tell which are (torch up to
/// 2.6), all but the values that lead have. Ends with a line end.
std::string program_text(const ExportedProgram& program, Colours colours = Colours::none);

struct PrintOptions {
  Colours colours = Colours::none;
  /// Nodes of this module of the main graph only, and no inputs, outputs and symbols; its path, of the root:
  /// empty.
  std::optional<std::string> module;
  /// Calls of modules in more than so many others are one line each. With it, and with `fold`, inputs and
  /// outputs that are not the user's are counted in one line.
  std::optional<std::size_t> depth;
  bool fold = false;    // of calls of modules that do the same, in the same module, the first one is shown
  bool source = false;  // below each node, the innermost line of code that made it, where it is known
};

/// The same with less, or more, of it. Errors: DataError if what it says of modules cannot be read, and an
/// option asks for it.
std::string program_text(const ExportedProgram& program, const PrintOptions& options);

}  // namespace pt2
