// Moves the nodes of one graph to another.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "pt2/edit/graph.h"
#include "pt2/types.h"
#include "schemagen/base/map.h"

namespace pt2 {

/// New names of values by old name.
using ValueNames = schemagen::Map<std::string>;

/// Returns `part` renamed for a graph with the names `names`. `inputs` replace its inputs. Values that it
/// defines get their names from `given`, or free ones. Names that it uses but does not define stay: they are
/// values of the other graph. Throws UsageError if the number of inputs differs, or one cannot be used where
/// `part` uses it.
Graph placed(Graph part, const std::vector<Argument>& inputs, FreshNames& names,
             const ValueNames& given = {});

/// Throws UsageError if `graph` has no node `at`.
void require_node(const Graph& graph, std::size_t at);

/// Adds the table entries of `from` to `graph`, except for names that it already has.
void add_values(Graph& graph, const Graph& from);

/// Removes the values `names` from the tables of `graph`. O(values).
void remove_values(Graph& graph, const schemagen::Map<bool>& names);

}  // namespace pt2
