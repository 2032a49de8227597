#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pt2/canonical/canonical.h"
#include "pt2/diff/program_diff.h"
#include "pt2/diff/sequence_match.h"
#include "pt2/types.h"
#include "schemagen/base/map.h"

namespace pt2 {

/// A line for one program. Empty if that program has nothing there.
struct DiffLine {
  std::string text;
  std::vector<std::string> place;
};

class NamedGraph {
 public:
  NamedGraph(const Graph& graph, const OriginalNames& names, const schemagen::Map<std::string>& symbols,
             std::vector<std::string> path = {})
      : graph_(&graph), names_(&names), symbols_(&symbols), path_(std::move(path)) {}

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
  DiffLine line(const std::string& name) const;  // a value that no input and no node defines
  std::string type(const Argument& argument) const;
  std::string type(const ValueName& value) const;
  /// Returns an expression, type or guard with the original names of its symbols.
  std::string with_symbols(std::string_view text) const;

 private:
  const Graph* graph_;
  const OriginalNames* names_;
  const schemagen::Map<std::string>* symbols_;
  std::vector<std::string> path_;
};

/// The names that correspond in two graphs.
class NamePairs {
 public:
  /// Adds corresponding definitions. One is null if the other graph has no such definition.
  void define(const std::string* a, const std::string* b);
  /// Returns whether the names correspond. Names that neither graph defines correspond from their first use.
  bool are_same(const std::string& a, const std::string& b);

  bool is_known_in_a(const std::string& a) const { return to_b_.contains(a); }
  bool is_known_in_b(const std::string& b) const { return to_a_.contains(b); }
  const std::vector<std::pair<std::string, std::string>>& undefined() const { return undefined_; }

 private:
  schemagen::Map<std::string> to_b_;  // an empty text means that nothing corresponds
  schemagen::Map<std::string> to_a_;
  std::vector<std::pair<std::string, std::string>> undefined_;
};

/// All that the normal form keeps of a node's name: whether it is null, empty, or anything else.
int name_state(const Node& node);

/// Fields that all nodes of one program have, and none of the other.
struct OneSided {
  bool argument_kinds = false;
  bool node_names = false;
};

/// Compares two graphs part by part. Learns which values correspond on the way.
class GraphDiff {
 public:
  GraphDiff(NamedGraph a, NamedGraph b, std::string where, OneSided one_sided,
            std::vector<Difference>& differences)
      : a_(std::move(a)),
        b_(std::move(b)),
        where_(std::move(where)),
        one_sided_(one_sided),
        differences_(differences) {}

  /// Compares inputs, nodes and outputs. The signatures of subgraphs are empty.
  void diff(const GraphSignature& a, const GraphSignature& b);
  /// Compares the descriptions of values that no input and no node defines. Comes last.
  void diff_undefined_values();

  void add(const char* part, DiffLine before, DiffLine after, std::vector<std::string> details = {});
  bool are_same(const std::vector<Argument>& a, const std::vector<Argument>& b);

 private:
  void define(const Argument* a, const Argument* b);
  void add_value_details(std::vector<std::string>& details, const Argument& a, const Argument& b);
  void add_value_details(std::vector<std::string>& details, const std::string& a, const std::string& b);
  template <class Spec>
  bool mean_the_same(const Spec& a, const Spec& b);
  template <class Spec>
  void diff_arguments(const char* part, const std::vector<KeyMatch>& matches,
                      const std::vector<Argument>& arguments_a, const std::vector<Spec>& specs_a,
                      const std::vector<Argument>& arguments_b, const std::vector<Spec>& specs_b);
  std::vector<std::string> node_details(const Node& a, const Node& b);
  void diff_node(std::size_t index_a, std::size_t index_b);
  void diff_undefined_value(const std::string* a, const std::string* b);

  NamedGraph a_;
  NamedGraph b_;
  std::string where_;
  OneSided one_sided_;
  std::vector<Difference>& differences_;
  NamePairs values_;
  NamePairs subgraphs_;
};

}  // namespace pt2
