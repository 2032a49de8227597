// The nodes of one graph as nodes of another.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "pt2/edit/graph.h"
#include "pt2/types.h"
#include "schemagen/base/map.h"

namespace pt2 {

/// New names for values, by old ones.
using ValueNames = schemagen::Map<std::string>;

/// `part` as it is to stand in the graph that `names` is of: its inputs are replaced by `inputs`, one for
/// each, and are gone; what it defines has the name that `given` has for it, or else one that `names` makes.
/// What it uses and does not define is left as it is: values of the other graph. Errors: UsageError, if there
/// are not as many inputs, or one cannot stand where it is used.
Graph placed(Graph part, const std::vector<Argument>& inputs, FreshNames& names,
             const ValueNames& given = {});

/// Errors: UsageError, if `graph` has no node number `at`.
void require_node(const Graph& graph, std::size_t at);

/// Adds what the tables of `from` say to those of `graph`, but for names that it has.
void add_values(Graph& graph, const Graph& from);

/// Takes the values that `names` has out of the tables of `graph`. O(values).
void remove_values(Graph& graph, const schemagen::Map<bool>& names);

}  // namespace pt2
