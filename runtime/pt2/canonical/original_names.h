#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "pt2/canonical/canonical.h"
#include "pt2/types.h"

namespace pt2 {

/// All names in a graph, with repetitions, in an order that renaming does not change.
struct NamesInOrder {
  std::vector<std::string> names;
  std::map<std::size_t, std::vector<NamesInOrder>> subgraphs;
};

NamesInOrder names_in_order(const GraphModule& module);

OriginalNames original_names(const NamesInOrder& renamed, const NamesInOrder& original);

}  // namespace pt2
