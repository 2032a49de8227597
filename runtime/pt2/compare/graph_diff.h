// What differs between two graphs: a part of program_diff.h.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pt2/compare/normal_program.h"
#include "pt2/compare/program_diff.h"

namespace pt2 {

/// A graph of a normal program, with the names of its file.
class NamedGraph {
 public:
  /// `graph` is the program's, or one of its subgraphs. Both must outlive this.
  NamedGraph(const NormalProgram& program, const Graph& graph)
      : program_(&program), graph_(&graph), names_(&program.names.at(&graph)) {}

  const Graph& graph() const { return *graph_; }
  NamedGraph subgraph(const Graph& graph) const { return {*program_, graph}; }

  /// The name in the file, printable.
  std::string original(std::string_view name) const;
  std::string text(const Argument& argument) const;
  std::string text(const Node& node) const;
  /// The types of the values that it names, in its own shape: `[f32[2], None]`.
  std::string type(const Argument& argument) const;

 private:
  const NormalProgram* program_;
  const Graph* graph_;
  const schemagen::Map<std::string>* names_;
};

/// Compares two graphs part by part. First come the inputs, then the nodes: which values are the same is
/// learnt on the way.
class GraphDiff {
 public:
  /// Differences are appended to `differences`, as being in `where`.
  GraphDiff(NamedGraph a, NamedGraph b, std::string where, std::vector<Difference>& differences)
      : a_(a), b_(b), where_(std::move(where)), differences_(differences) {}

  void diff_inputs(const GraphSignature& a, const GraphSignature& b);
  void diff_inputs_of_subgraphs();
  void diff_nodes();
  void diff_outputs(const GraphSignature& a, const GraphSignature& b);
  void diff_outputs_of_subgraphs();

  /// Whether two arguments are alike, but for the contents of subgraphs.
  bool are_same(const Argument& a, const Argument& b) const;

 private:
  void add(Difference::Kind kind, const char* part, std::string before, std::string after,
           std::vector<std::string> details = {});

  /// Takes what `a` names for what `b` names at the same place.
  void identify(const Argument& a, const Argument& b);
  void add_type_details(std::vector<std::string>& details, const Argument& a, const Argument& b) const;

  template <class Spec>
  void diff_specs(const char* part, const std::vector<Argument>& arguments_a,
                  const std::vector<Spec>& specs_a, const std::vector<Argument>& arguments_b,
                  const std::vector<Spec>& specs_b);

  /// Pairs of indices of nodes that are the same but for changes, ascending in both.
  std::vector<std::pair<std::size_t, std::size_t>> match_nodes() const;
  std::vector<std::string> node_details(const Node& a, const Node& b) const;
  void diff_node(const Node& a, const Node& b);

  NamedGraph a_;
  NamedGraph b_;
  std::string where_;
  std::vector<Difference>& differences_;
  schemagen::Map<std::string> same_;  // values of a, and what they are called in b
};

}  // namespace pt2
