#pragma once

#include <vector>

#include "pt2/infer/infer.h"

namespace pt2 {

/// The calls of torch.vmap in a graph that begin before a node and end after it.
class Vmaps {
 public:
  /// Must be called for each node of `graph`, in order. `op` may be null. Throws ShapeError if the node makes
  /// or undoes a batch whose size differs from the size that the vmap around it states, and DataError if the
  /// node is malformed.
  void follow(const Node& node, const Operator* op, const Graph& graph, const Bindings& hints,
              SizeTexts& texts);

 private:
  std::vector<Size> batches_;
};

}  // namespace pt2
