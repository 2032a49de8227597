// What differs between two graphs: a part of program_diff.h.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pt2/canonical/original_names.h"
#include "pt2/diff/program_diff.h"

namespace pt2 {

/// What a difference says of one of the programs: nothing, if that has no such thing.
struct DiffLine {
  std::string text;
  std::vector<std::string> place;  // see Difference::at_before
};

/// A graph of a normal program, with the names of its file.
class NamedGraph {
 public:
  /// Both must outlive this.
  NamedGraph(const Graph& graph, const OriginalNames& names, std::vector<std::string> path = {})
      : graph_(&graph), names_(&names), path_(std::move(path)) {}

  const Graph& graph() const { return *graph_; }
  /// The subgraphs of a node, in order.
  std::vector<NamedGraph> subgraphs(std::size_t node) const;

  /// The name in the file, printable or as it is.
  std::string original(std::string_view name) const;
  std::string original_name(std::string_view name) const;
  std::string text(const Argument& argument) const;
  std::string text(const Node& node) const;
  DiffLine line(const Node& node) const;
  /// `text` about an argument; null: about nothing that has a place.
  DiffLine line(std::string text, const Argument* argument) const;
  /// The types of the values that it names, in its own shape: `[f32[2], None]`.
  std::string type(const Argument& argument) const;

 private:
  const Graph* graph_;
  const OriginalNames* names_;
  std::vector<std::string> path_;  // of the graph, as in DiffLine::place
};

/// Compares two graphs part by part. First come the inputs, then the nodes: which values are the same is
/// learnt on the way.
class GraphDiff {
 public:
  /// Differences are appended to `differences`, as being in `where`.
  GraphDiff(NamedGraph a, NamedGraph b, std::string where, std::vector<Difference>& differences)
      : a_(std::move(a)), b_(std::move(b)), where_(std::move(where)), differences_(differences) {}

  void diff_inputs(const GraphSignature& a, const GraphSignature& b);
  void diff_inputs_of_subgraphs();
  void diff_nodes();
  void diff_outputs(const GraphSignature& a, const GraphSignature& b);
  void diff_outputs_of_subgraphs();

  const NamedGraph& a() const { return a_; }
  const NamedGraph& b() const { return b_; }

  /// Whether two arguments are alike, but for the contents of subgraphs.
  bool are_same(const Argument& a, const Argument& b) const;

 private:
  void add(Difference::Kind kind, const char* part, DiffLine before, DiffLine after,
           std::vector<std::string> details = {});

  /// Takes what `a` names for what `b` names at the same place.
  void identify(const Argument& a, const Argument& b);
  /// What it is in b, where what it names has been identified; names without a partner are empty.
  Argument named_in_b(Argument argument) const;
  void add_type_details(std::vector<std::string>& details, const Argument& a, const Argument& b) const;

  template <class Spec>
  void diff_specs(const char* part, const std::vector<Argument>& arguments_a,
                  const std::vector<Spec>& specs_a, const std::vector<Argument>& arguments_b,
                  const std::vector<Spec>& specs_b);

  /// Whether two specs of one kind say the same beside the input or output that they are of.
  template <class Spec>
  bool mean_the_same(const Spec& a, const Spec& b) const;

  /// Pairs of indices of nodes that are the same but for changes, ascending in both.
  std::vector<std::pair<std::size_t, std::size_t>> match_nodes() const;
  std::vector<std::string> node_details(const Node& a, const Node& b) const;
  void diff_node(std::size_t index_a, std::size_t index_b);

  NamedGraph a_;
  NamedGraph b_;
  std::string where_;
  std::vector<Difference>& differences_;
  schemagen::Map<std::string> same_;  // values of a, and what they are called in b
};

}  // namespace pt2
