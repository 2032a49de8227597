#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "pt2/canonical/precedence.h"
#include "pt2/canonical/ranking.h"
#include "pt2/graph/index.h"
#include "pt2/types.h"
#include "schemagen/base/map.h"

namespace pt2 {

/// The symbols that live values define in a graph and in the graphs around it, numbered in the order of those
/// values.
class SymbolNumbers {
 public:
  explicit SymbolNumbers(const SymbolNumbers* outer)
      : outer_(outer), outer_count_(outer == nullptr ? 0 : outer->size()) {}

  std::size_t size() const { return outer_count_ + own_.size(); }
  const std::size_t* find(std::string_view symbol) const {
    const std::size_t* const outer = outer_ == nullptr ? nullptr : outer_->find(symbol);
    return outer == nullptr ? own_.find(symbol) : outer;
  }
  void add(const std::string& symbol) {
    const std::size_t number = size();
    if (find(symbol) == nullptr) own_[symbol] = number;
  }

 private:
  const SymbolNumbers* outer_;  // not copied: many subgraphs may share it
  std::size_t outer_count_;
  schemagen::Map<std::size_t> own_;
};

struct DeadNodes {
  const Graph& graph;  // its subgraphs are already ordered
  const GraphIndex& values;
  const Precedence* precedence;  // null if nothing writes to memory
  const SymbolNumbers& symbols;
  const schemagen::Map<RangeConstraint>& ranges;
};

/// Ranks the dead nodes, each after its operands. Their order depends only on structure as far as
/// ColouredGraph::order() can distinguish the nodes, and otherwise on their order in the graph.
void rank_dead_nodes(const DeadNodes& nodes, Ranking& ranking);

}  // namespace pt2
