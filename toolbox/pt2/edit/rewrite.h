// Finds patterns of nodes and replaces them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
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
  std::vector<std::uint32_t> nodes;  // nodes of the graph, by node of the pattern
  /// For each of `nodes`, whether it must stay when the others are replaced, because a result that is not an
  /// output is used outside the match, or by a node that stays. Only with Pattern::allow_outside_users.
  std::vector<bool> stays;
  /// The values in the graph that match inputs and values of the pattern, by their names in the pattern.
  schemagen::Map<Argument> values;

  /// Throws UsageError if the pattern has no such input or value.
  const Argument& at(std::string_view name) const { return values.at(name); }
};

/// Nodes to find, given as a graph that was made by hand, by a builder, or from a program. A node matches a
/// node with the same operator if its arguments match. An omitted argument has its default value, and a
/// literal matches an equal literal. Inputs of the pattern are wildcards for values of their kind: a tensor
/// matches any tensor; a symbolic int matches any int, including literals. An input that is used twice must
/// match the same value. Tables, metadata and names of values are ignored.
struct Pattern {
  /// Its outputs are the values that may be used outside a match; they must be results of its nodes. The
  /// nodes must be connected: all except one must use or provide a value that another node uses.
  Graph graph;
  /// The inputs that match any argument, including lists, literals and None.
  std::set<std::string> any = {};
  /// Whether results that are not outputs may be used outside, too, if the nodes that compute them do not
  /// need an output.
  bool allow_outside_users = false;
  /// An additional condition on matches; null if there is none.
  std::function<bool(const Graph& graph, const PatternMatch& match)> accepts = {};
};

/// Returns the matches of `pattern` in `graph`, ordered by their last nodes. Matches do not overlap: the
/// first wins. Does not search subgraphs. All nodes of a match can be moved to the place of its last one:
/// everything outside that uses an output comes after it; no other node between its nodes writes to memory;
/// and if an earlier node of the match has effects, there are no other nodes between them.
///
/// O(nodes) if one node of the pattern needs all others. Otherwise each additional starting node is searched
/// among all users of a value that is already matched.
///
/// Throws UsageError if the pattern has no nodes, more than 250, or unconnected ones; DataError if the graph
/// uses a value before its definition or defines one twice.
std::vector<PatternMatch> match(const Graph& graph, const Pattern& pattern,
                                const OperatorSet& operators = {});

/// Returns the replacement for a match: a graph whose inputs are named like inputs of the pattern, and that
/// has an output for each output of the pattern.
using MakeReplacement = std::function<Graph(const Graph& graph, const PatternMatch& match)>;

/// Replaces each match of `pattern`, in all graphs of `program`, with the graph that `make` returns. Returns
/// the number of matches. Does not look for matches in replacements.
///
/// New nodes go to the place of the match's last node, and get its metadata if they have none. Results that
/// replace the pattern's outputs keep the names and types that these have in the program; all others get free
/// names. A node of the match stays if a result that is not an output is used outside, which
/// Pattern::allow_outside_users allows.
///
/// Takes O(nodes) in addition to match(). Throws what match() throws, and UsageError if a replacement has an
/// input that the pattern lacks or a different number of outputs, or if an argument cannot be used where it
/// is. Part of the program may have been rewritten by then.
std::size_t rewrite(ExportedProgram& program, const Pattern& pattern, const MakeReplacement& make,
                    const OperatorSet& operators = {});

/// Does the same with one graph for all matches. A tensor in it with the same TensorMeta as one of its inputs
/// gets the TensorMeta of what that input matches; any other, except outputs, keeps its own.
std::size_t rewrite(ExportedProgram& program, const Pattern& pattern, const Graph& replacement,
                    const OperatorSet& operators = {});

}  // namespace pt2
