// What things were called before they were renamed.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "pt2/canonical/canonical.h"
#include "pt2/types.h"

namespace pt2 {

/// The names in a graph, each at least once, in an order that stays the same when they are changed.
struct NamesInOrder {
  std::vector<std::string> names;
  std::map<std::size_t, std::vector<NamesInOrder>> subgraphs;  // by index of the node
};

/// Those of the module's graph; names of constants in the signature are among them.
NamesInOrder names_in_order(const GraphModule& module);

/// `renamed` and `original` are of one graph, with no more than the names changed between them.
OriginalNames original_names(const NamesInOrder& renamed, const NamesInOrder& original);

}  // namespace pt2
