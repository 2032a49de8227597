// A program as text for people. All functions may be called from several threads at once.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "pt2/show/argument_text.h"
#include "pt2/types.h"

namespace pt2 {

enum class Colours {
  none,
  ansi,  // types are dim, by ECMA-48's sequences
};

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
  std::optional<std::size_t> depth;  // calls of modules in more than so many others are one line each
  bool fold = false;    // of calls of modules that do the same, in the same module, the first one is shown
  bool source = false;  // below each node, the innermost line of code that made it, where it is known
};

/// The same with less, or more, of it. Errors: DataError if what it says of modules cannot be read, and an
/// option asks for it.
std::string program_text(const ExportedProgram& program, const PrintOptions& options);

/// The release that wrote the program: `2.13.0+cpu`. `version not recorded` for the schema's default, which
/// stands for releases that did not say (torch up to 2.4), and is what canonical forms set.
std::string torch_version_text(const ExportedProgram& program);

/// A node's line: `getitem: f32[3] = higher_order.cond(p, true_graph_0, false_graph_0, [x])`, without its
/// subgraphs. `name` says how values are called.
std::string node_text(const Graph& graph, const Node& node, Colours colours = Colours::none,
                      const ValueText& name = name_text);

/// What an input or output stands for: `parameter "layer.weight"`, `user output`.
std::string meaning_text(const InputSpec& spec);
std::string meaning_text(const OutputSpec& spec);

/// `2 <= s0 <= 64`, `s0 >= 2`, `s0 unbounded`; `symbol` may be any expression.
std::string range_text(const std::string& symbol, const RangeConstraint& range);

}  // namespace pt2
