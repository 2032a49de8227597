// Lists the expressions in value tables in an order that does not depend on names, and handles entries that
// nothing uses.
#pragma once

#include "pt2/canonical/canonical.h"
#include "pt2/canonical/refinement.h"

namespace pt2 {

struct UnusedNumbers {
  std::size_t first = 0;              // values are named `_0`, `_1` and so on, with unused entries last
  OriginalNames* original = nullptr;  // name_unused_entries() updates these names
};

/// The graphs that have unused entries. They must not be moved.
using UnusedEntries = std::map<const Graph*, UnusedNumbers>;

std::size_t number_in(const std::string& name);

void copy_entries(const Graph& from, const std::string& name, Graph& to);

Graph entries_alone(const Graph& graph, const std::string& name);

/// Returns the names of unused entries, without repetitions and in any order. Includes names that occur only
/// in entries of custom objects.
std::vector<std::string> unused_names(const Graph& graph, const UnusedEntries& unused);

/// Adds an edge from the entry of each custom object to the entry that its name refers to. `vertices` maps
/// names of unused entries to their vertices. Used entries become new vertices with the color `what` and
/// their name.
void add_references(const Graph& graph, const schemagen::Map<ColouredGraph::Vertex>& vertices,
                    const std::string& what, ColouredGraph& coloured);

/// The expressions in value tables, with the top-level graph before its subgraphs.
struct Expressions {
  std::vector<std::string*> of_values;  // in the order of the values
  std::vector<std::string*> of_unused;
  /// Graphs with unused_names(), and these names.
  std::vector<std::pair<const Graph*, std::vector<std::string>>> unused;
};

Expressions expressions_of(Graph& graph, const UnusedEntries& unused);

/// Numbers the entries by their contents alone, within their range of numbers, and sorts the tables by key.
/// Symbols must have their final names.
void name_unused_entries(Graph& graph, const UnusedEntries& unused);

}  // namespace pt2
