// Lists the expressions in value tables in an order that does not depend on names.
#pragma once

#include <string>
#include <vector>

#include "pt2/canonical/unused_entries.h"
#include "pt2/types.h"

namespace pt2 {

struct UnusedEntry {
  const Graph* graph = nullptr;
  std::string name;
  std::vector<std::string*> expressions;
};

struct Expressions {
  /// The expressions in the order of the values, with the top-level graph before its subgraphs.
  std::vector<std::string*> of_values;
  std::vector<UnusedEntry> unused;
};

Expressions expressions_of(Graph& graph, const UnusedEntries& unused);

}  // namespace pt2
