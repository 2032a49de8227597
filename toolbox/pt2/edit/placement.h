#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "pt2/edit/graph.h"
#include "pt2/types.h"
#include "schemagen/base/map.h"

namespace pt2 {

using ValueNames = schemagen::Map<std::string>;

/// Renames `part` for a graph that has the names `names`. `inputs` replace its inputs; definitions get names
/// from `given`, or free ones; other names are values of the other graph. Throws UsageError if the number of
/// inputs differs or one does not fit.
Graph placed(Graph part, const std::vector<Argument>& inputs, FreshNames& names,
             const ValueNames& given = {});

void require_node(const Graph& graph, std::size_t at);

void add_values(Graph& graph, const Graph& from);

void remove_values(Graph& graph, const schemagen::Map<bool>& names);

}  // namespace pt2
