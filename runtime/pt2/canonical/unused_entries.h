// Entries of value tables that nothing names.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "pt2/canonical/refinement.h"
#include "pt2/types.h"
#include "schemagen/base/map.h"

namespace pt2 {

/// Of each graph of a program that has such entries, the number of the first one's name: values are named
/// `_0`,
/// `_1`, ..., and those that nothing names come last. The graphs must stay where they are.
using UnusedEntries = std::map<const Graph*, std::size_t>;

/// The number in a name such as `_7`; 0 for one of no characters.
std::size_t number_in(const std::string& name);

/// Copies what the tables of `from` say of `name`.
void copy_entries(const Graph& from, const std::string& name, Graph& to);

/// A graph that has no more than what the tables of `graph` say of `name`.
Graph entries_alone(const Graph& graph, const std::string& name);

/// The names of the graph's entries that nothing names, and those that only entries of custom objects have,
/// each once, in any order.
std::vector<std::string> unused_names(const Graph& graph, const UnusedEntries& unused);

/// Adds edges between the entries, of which `vertices` has those by their names, of a custom object and the
/// one that its name is of. Entries that something names become vertices called `what` and their name.
void add_references(const Graph& graph, const schemagen::Map<ColouredGraph::Vertex>& vertices,
                    const std::string& what, ColouredGraph& coloured);

/// Names the entries of `graph` that nothing names in an order that depends on nothing but what they hold,
/// with the same numbers as they have; tables are sorted by key. Symbols must have their final names.
void name_unused_entries(Graph& graph, const UnusedEntries& unused);

}  // namespace pt2
