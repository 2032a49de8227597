// The expressions in the value tables of a program, in an order that does not depend on names.
#pragma once

#include <string>
#include <vector>

#include "pt2/canonical/unused_entries.h"
#include "pt2/types.h"

namespace pt2 {

/// What the tables of `graph` say of a name that nothing uses.
struct UnusedEntry {
  const Graph* graph = nullptr;
  std::string name;
  std::vector<std::string*> expressions;
};

struct Expressions {
  /// Of values, in the order of these; first those of the top graph, then those of its subgraphs.
  std::vector<std::string*> of_values;
  std::vector<UnusedEntry> unused;
};

/// The expressions of `graph` and its subgraphs, of which rename_values() has named the values.
Expressions expressions_of(Graph& graph, const UnusedEntries& unused);

}  // namespace pt2
