// Finds patterns of nodes and replaces them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "pt2/operators/operators.h"
#include "pt2/types.h"
#include "schemagen/base/map.h"

namespace pt2 {

/// A match of a pattern in a graph.
struct PatternMatch {
  std::vector<std::uint32_t> nodes;  // for each node of the pattern, the index of its match in the graph
  /// The values in the graph that match the pattern's inputs and values, keyed by the names in the pattern.
  schemagen::Map<Argument> values;

  /// Returns the value that matches the pattern's input or value `name`. Throws UsageError if the pattern has
  /// no such input or value.
  const Argument& at(std::string_view name) const { return values.at(name); }
};

/// The nodes to find, as a graph that was written by hand, made with a builder, or taken from a program. Two
/// nodes match if they have the same operator and their arguments match. An omitted argument has its default
/// value, and a literal matches an equal literal. The pattern's inputs are wildcards for values of the same
/// kind: a tensor matches any tensor, and a symbolic int matches any int, including a literal. An input that
/// is used twice must match the same value each time. Tables, metadata and the names of values are ignored.
struct Pattern {
  /// The pattern's nodes, inputs and outputs. Only the outputs may be used outside a match, and each must be
  /// the result of a node. The nodes must be connected through the values that they use or provide.
  Graph graph;
  /// The names of inputs that match any argument, including lists, literals and None.
  std::set<std::string> any = {};
  /// The types that inputs and results, by name, can match: alternatives. Each is the dtype of a tensor, e.g.
  /// `float32`, its whole type as tensor_type_text() returns it, e.g. `f32[3, 8]`, or one of `Tensor`,
  /// `Value` (no literal), `int`, `float`, `bool`, `str`, `list` and `None`.
  std::map<std::string, std::vector<std::string>> types = {};
};

/// Returns the matches of `pattern` in `graph`, ordered by their last nodes. Matches do not overlap: the
/// first one wins. Subgraphs are not searched. All nodes of a match can be moved to the position of its last
/// node: uses of the outputs outside the match come after that node, and no other node between the match's
/// nodes writes to memory. If any node of a match except the last has effects, the match's nodes are
/// consecutive.
///
/// Takes O(nodes) time if one node of the pattern depends on all others. Otherwise, for each additional node
/// that no other node depends on, the search visits all users of a value that is already matched.
///
/// Throws UsageError if the pattern has no nodes, more than 250 nodes, nodes that are not connected, or types
/// of an unknown value or kind. Throws DataError if the graph uses a value before its definition or defines a
/// value twice.
std::vector<PatternMatch> match(const Graph& graph, const Pattern& pattern,
                                const OperatorSet& operators = {});

/// A function that returns the replacement for a match: a graph with one output per output of the pattern,
/// and with inputs named after inputs of the pattern. nullopt leaves the match as it is.
using MakeReplacement = std::function<std::optional<Graph>(const Graph& graph, const PatternMatch& match)>;

/// Replaces each match of `pattern`, in all graphs of `program`, with the graph that `make` returns. Returns
/// the number of replaced matches. Does not look for matches in replacements.
///
/// New nodes are inserted at the position of the match's last node, and get its metadata if they have none.
/// Results that replace the pattern's outputs get the types of these outputs, in outputs and signatures too.
/// New values keep their names in the replacement if these are unused, also by removed nodes.
///
/// Takes O(nodes) time in addition to the time of match(). Throws whatever match() throws. Throws UsageError
/// if a replacement has an input that the pattern lacks or the wrong number of outputs, or if an argument is
/// of a kind that is not allowed in its place. If an exception is thrown, part of the program may already
/// have been rewritten.
std::size_t rewrite(ExportedProgram& program, const Pattern& pattern, const MakeReplacement& make,
                    const OperatorSet& operators = {});

/// Does the same, but replaces every match with the graph `replacement`. If a tensor in `replacement` has the
/// same TensorMeta as an input of `replacement`, it gets the TensorMeta of the value that the input matches.
/// All other tensors, except outputs, keep their own TensorMeta.
std::size_t rewrite(ExportedProgram& program, const Pattern& pattern, const Graph& replacement,
                    const OperatorSet& operators = {});

}  // namespace pt2
