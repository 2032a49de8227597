#pragma once

#include <string_view>
#include <utility>

#include "pt2/diff/program_diff.h"
#include "schemagen/base/map.h"

namespace pt2 {

/// A line for one program. Empty if that program has nothing there.
struct DiffLine {
  std::string text;
  std::vector<std::string> place;
};

/// A graph in normal form, and the names that it has in its file.
struct NamedGraph {
  const Graph& graph;
  const OriginalNames& names;
  const schemagen::Map<std::string>& symbols;
  std::vector<std::string> path = {};

  std::string text(const Argument& argument) const;
  /// Returns an expression, type or guard with the original names of its symbols.
  std::string with_symbols(std::string_view text) const;
};

/// The names that correspond in two graphs.
struct NamePairs {
  /// Adds corresponding definitions. One is null if the other graph has no such definition.
  void define(const std::string* a, const std::string* b);
  /// Returns whether the names correspond. Names that neither graph defines correspond from their first use.
  bool are_same(const std::string& a, const std::string& b);

  schemagen::Map<std::string> to_b;  // an empty text means that nothing corresponds
  schemagen::Map<std::string> to_a;
  std::vector<std::pair<std::string, std::string>> undefined;
};

/// All that the normal form keeps of a node's name: whether it is null, empty, or anything else.
int name_state(const Node& node);

/// Fields that all nodes of one program have, and none of the other.
struct OneSided {
  bool argument_kinds = false;
  bool node_names = false;
};

/// A comparison of two graphs, which learns on the way which values correspond.
struct GraphDiff {
  NamedGraph a;
  NamedGraph b;
  OneSided one_sided;
  std::vector<Difference>& differences;
  std::string where = {};
  NamePairs values = {};
  NamePairs subgraphs = {};
};

void add_difference(GraphDiff& diff, const char* part, DiffLine before, DiffLine after,
                    std::vector<std::string> details = {});

/// Compares inputs, nodes and outputs. The signatures of subgraphs are empty.
void diff_graphs(GraphDiff& diff, const GraphSignature& a, const GraphSignature& b);

/// Compares the descriptions of values that no input and no node defines. Comes last.
void diff_undefined_values(GraphDiff& diff);

bool have_same_values(GraphDiff& diff, const std::vector<Argument>& a, const std::vector<Argument>& b);

}  // namespace pt2
