#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pt2/canonical/canonical.h"
#include "pt2/diff/program_diff.h"

namespace pt2 {

/// A line for one program. Empty if that program has nothing there.
struct DiffLine {
  std::string text;
  std::vector<std::string> place;
};

class NamedGraph {
 public:
  NamedGraph(const Graph& graph, const OriginalNames& names, std::vector<std::string> path = {})
      : graph_(&graph), names_(&names), path_(std::move(path)) {}

  const Graph& graph() const { return *graph_; }
  std::vector<NamedGraph> subgraphs(std::size_t node) const;

  /// Returns the original name, printable or unchanged.
  std::string original(std::string_view name) const;
  std::string original_name(std::string_view name) const;
  std::string text(const Argument& argument) const;
  std::string text(const Node& node) const;
  DiffLine line(const Node& node) const;
  /// Makes a line. If `argument` is null, the line has no place.
  DiffLine line(std::string text, const Argument* argument) const;
  std::string type(const Argument& argument) const;

 private:
  const Graph* graph_;
  const OriginalNames* names_;
  std::vector<std::string> path_;
};

/// Compares two graphs part by part, inputs first. Learns which values correspond on the way.
class GraphDiff {
 public:
  GraphDiff(NamedGraph a, NamedGraph b, std::string where, std::vector<Difference>& differences)
      : a_(std::move(a)), b_(std::move(b)), where_(std::move(where)), differences_(differences) {}

  void diff_inputs(const GraphSignature& a, const GraphSignature& b);
  void diff_inputs_of_subgraphs();
  void diff_nodes();
  void diff_outputs(const GraphSignature& a, const GraphSignature& b);
  void diff_outputs_of_subgraphs();

  const NamedGraph& a() const { return a_; }
  const NamedGraph& b() const { return b_; }

  bool are_same(const Argument& a, const Argument& b) const;

 private:
  void add(Difference::Kind kind, const char* part, DiffLine before, DiffLine after,
           std::vector<std::string> details = {});

  /// Treats the values of `a` and `b` in the same positions as equal.
  void identify(const Argument& a, const Argument& b);
  /// Returns the argument with the names of `b`. Values without a counterpart get empty names.
  Argument named_in_b(Argument argument) const;
  void add_type_details(std::vector<std::string>& details, const Argument& a, const Argument& b) const;

  template <class Spec>
  void diff_specs(const char* part, const std::vector<Argument>& arguments_a,
                  const std::vector<Spec>& specs_a, const std::vector<Argument>& arguments_b,
                  const std::vector<Spec>& specs_b);

  template <class Spec>
  bool mean_the_same(const Spec& a, const Spec& b) const;

  std::vector<std::pair<std::size_t, std::size_t>> match_nodes() const;
  std::vector<std::string> node_details(const Node& a, const Node& b) const;
  void diff_node(std::size_t index_a, std::size_t index_b);

  NamedGraph a_;
  NamedGraph b_;
  std::string where_;
  std::vector<Difference>& differences_;
  schemagen::Map<std::string> same_;
};

}  // namespace pt2
