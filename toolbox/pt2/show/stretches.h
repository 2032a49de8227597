// Which nodes of a graph are printed one by one, and what is said of the others: a part of print.h.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "pt2/show/print.h"
#include "pt2/types.h"

namespace pt2 {

/// Nodes that follow each other.
struct Stretch {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string text;  // stands for them: `b.0: Block, 15 nodes`; empty: they are printed
};

/// The nodes of the main graph in order; those that the options leave out are in none. Errors: those of
/// module_calls(), if the options are about modules.
std::vector<Stretch> stretches_of(const GraphModule& module, const PrintOptions& options);

}  // namespace pt2
