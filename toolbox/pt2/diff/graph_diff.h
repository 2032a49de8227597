// Compares two graphs; a part of program_diff.h.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pt2/canonical/original_names.h"
#include "pt2/diff/program_diff.h"

namespace pt2 {

/// One side of a difference, empty if that program has nothing there.
struct DiffLine {
  std::string text;
  std::vector<std::string> place;  // see Difference::at_before
};

/// A graph of a normalized program, with the names from its file.
class NamedGraph {
 public:
  /// Both arguments must outlive this object.
  NamedGraph(const Graph& graph, const OriginalNames& names, std::vector<std::string> path = {})
      : graph_(&graph), names_(&names), path_(std::move(path)) {}

  const Graph& graph() const { return *graph_; }
  /// The subgraphs of a node, in order.
  std::vector<NamedGraph> subgraphs(std::size_t node) const;

  /// The name in the file, printable or unchanged.
  std::string original(std::string_view name) const;
  std::string original_name(std::string_view name) const;
  std::string text(const Argument& argument) const;
  std::string text(const Node& node) const;
  DiffLine line(const Node& node) const;
  /// `text` about an argument; null: it has no place.
  DiffLine line(std::string text, const Argument* argument) const;
  /// The types of the argument's values, in its structure: `[f32[2], None]`.
  std::string type(const Argument& argument) const;

 private:
  const Graph* graph_;
  const OriginalNames* names_;
  std::vector<std::string> path_;  // of the graph, as in DiffLine::place
};

/// Compares two graphs part by part: inputs first, then nodes. Equal values are learned on the way.
class GraphDiff {
 public:
  /// Appends differences to `differences`, located in `where`.
  GraphDiff(NamedGraph a, NamedGraph b, std::string where, std::vector<Difference>& differences)
      : a_(std::move(a)), b_(std::move(b)), where_(std::move(where)), differences_(differences) {}

  void diff_inputs(const GraphSignature& a, const GraphSignature& b);
  void diff_inputs_of_subgraphs();
  void diff_nodes();
  void diff_outputs(const GraphSignature& a, const GraphSignature& b);
  void diff_outputs_of_subgraphs();

  const NamedGraph& a() const { return a_; }
  const NamedGraph& b() const { return b_; }

  /// Returns whether two arguments are equal, except for the contents of subgraphs.
  bool are_same(const Argument& a, const Argument& b) const;

 private:
  void add(Difference::Kind kind, const char* part, DiffLine before, DiffLine after,
           std::vector<std::string> details = {});

  /// Identifies the values that `a` names with the values of `b` in the same places.
  void identify(const Argument& a, const Argument& b);
  /// Returns the argument with names of b; values without a counterpart have empty names.
  Argument named_in_b(Argument argument) const;
  void add_type_details(std::vector<std::string>& details, const Argument& a, const Argument& b) const;

  template <class Spec>
  void diff_specs(const char* part, const std::vector<Argument>& arguments_a,
                  const std::vector<Spec>& specs_a, const std::vector<Argument>& arguments_b,
                  const std::vector<Spec>& specs_b);

  /// Returns whether two specs of one kind are equal except for their input or output.
  template <class Spec>
  bool mean_the_same(const Spec& a, const Spec& b) const;

  /// Returns pairs of corresponding nodes, ascending in both graphs.
  std::vector<std::pair<std::size_t, std::size_t>> match_nodes() const;
  std::vector<std::string> node_details(const Node& a, const Node& b) const;
  void diff_node(std::size_t index_a, std::size_t index_b);

  NamedGraph a_;
  NamedGraph b_;
  std::string where_;
  std::vector<Difference>& differences_;
  schemagen::Map<std::string> same_;  // names in b of values of a
};

}  // namespace pt2
