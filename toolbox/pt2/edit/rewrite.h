// Patterns of nodes, where they are in graphs, and replaced.
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

/// A place where a pattern fits.
struct PatternMatch {
  std::vector<std::uint32_t> nodes;  // of the graph, by the node of the pattern that each of them is
  /// Of these, by the node of the pattern: whether it has to stay if the others are replaced, as what it
  /// gives and is no output is used outside, or by such a node. Only with Pattern::allow_outside_users.
  std::vector<bool> stays;
  /// What of the graph stands for the inputs of the pattern and for what it defines, by their names in it.
  schemagen::Map<Argument> values;

  /// Errors: UsageError if the pattern has no such input or value.
  const Argument& at(std::string_view name) const { return values.at(name); }
};

/// Nodes as they are to be found: a graph, made by hand, by a builder, or taken out of a program. A node fits
/// one of the same operator whose arguments fit; an argument that is left out is its default value, and a
/// literal fits the same literal. Inputs of the pattern are wildcards: one that is a tensor stands for any
/// tensor, a symbolic int for any int, literal or not, and so on. One that is used twice is the same both
/// times. What the tables say, metadata, and the names of values do not count.
struct Pattern {
  /// Its outputs are what may be used outside of a match; they are results of its nodes. All nodes hang
  /// together: each, but for one, uses or gives what another one uses.
  Graph graph;
  /// Those of its inputs that stand for any argument, lists, literals and None included.
  std::set<std::string> any = {};
  /// Whether results that are no outputs may be used outside, too, if what gives them needs no output.
  bool allow_outside_users = false;
  /// What else is asked of a match; null: nothing.
  std::function<bool(const Graph& graph, const PatternMatch& match)> accepts = {};
};

/// Where `pattern` fits in `graph`, in the order of its last nodes; no node is in two matches, of two that
/// share one the first counts. Subgraphs are not looked into. All that uses an output outside comes after the
/// last node of the match; between its nodes, no other one writes to memory, and none stands at all if an
/// earlier node of it has effects: so its nodes can be put at the place of the last one.
///
/// O(nodes) for a pattern in which one node needs all others. Where another starts from users of a value that
/// is known by then, all of these are tried.
///
/// Errors: UsageError, if the pattern has no nodes, more than 250, or such that do not hang together;
/// DataError, if a value of the graph is used before it is defined, or defined twice.
std::vector<PatternMatch> match(const Graph& graph, const Pattern& pattern,
                                const OperatorSet& operators = {});

/// Makes what is to take the place of a match: a graph whose inputs are called as inputs of the pattern, and
/// that has an output for each of the pattern's.
using MakeReplacement = std::function<Graph(const Graph& graph, const PatternMatch& match)>;

/// Puts what `make` gives in the place of each match of `pattern` in all graphs of `program`, subgraphs
/// included, and returns how many these were. What is put in is not looked at again.
///
/// New nodes stand where the last node of the match did, and have its metadata if they have none. The results
/// that stand for the pattern's outputs keep the names and metas that these have in the program; all others
/// get names that are free. Nodes of a match stay if values of theirs that are no outputs are used outside,
/// which Pattern::allow_outside_users allows.
///
/// O(nodes) beside what match() takes. Errors: those of match(); UsageError, if a replacement has an input
/// that the pattern does not have, another number of outputs, or something stands where it cannot. Then the
/// program may have been rewritten in part.
std::size_t rewrite(ExportedProgram& program, const Pattern& pattern, const MakeReplacement& make,
                    const OperatorSet& operators = {});

/// The same with one graph for all matches. Tensors in it whose metas are there those of one of its inputs
/// have that of what stands for the input; all others, but for outputs, the meta that they have.
std::size_t rewrite(ExportedProgram& program, const Pattern& pattern, const Graph& replacement,
                    const OperatorSet& operators = {});

}  // namespace pt2
