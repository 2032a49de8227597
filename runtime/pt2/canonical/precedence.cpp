#include "pt2/canonical/precedence.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>

#include "pt2/graph/effects.h"
#include "pt2/graph/walk.h"

namespace pt2 {
namespace {

class DisjointSets {
 public:
  explicit DisjointSets(std::size_t size) : parents_(size) {
    std::iota(parents_.begin(), parents_.end(), 0u);
  }

  std::uint32_t find(std::uint32_t number) {
    while (parents_[number] != number) number = parents_[number] = parents_[parents_[number]];
    return number;
  }
  void unite(std::uint32_t a, std::uint32_t b) { parents_[find(a)] = find(b); }

 private:
  std::vector<std::uint32_t> parents_;
};

DisjointSets values_by_memory(const Graph& graph, const GraphIndex& values, const OperatorSet& operators) {
  DisjointSets sets(values.size());
  for (std::uint32_t node = 0; node < graph.nodes.size(); ++node) {
    const Operator* const op = operators.find(graph.nodes[node].target);
    for (const GraphIndex::Use& use : values.uses(node)) {
      if (!may_return_view_of(graph.nodes[node], use.input, op)) continue;
      for (auto output = values.outputs_begin(node); output < values.outputs_end(node); ++output) {
        sets.unite(output, use.value);
      }
    }
  }
  return sets;
}

bool changes_memory(const Node& node, const OperatorSet& operators) {
  if (!has_effects(node, operators)) return false;
  bool writes = is_barrier(node);
  const Operator* const op = operators.find(node.target);
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    for_each_name(node.inputs[i], [&](const std::string&) { writes = writes || writes_input(node, i, op); });
  }
  return writes;
}

}  // namespace

void Ranking::add(Index node) {
  enter(node);
  while (!stack_.empty()) {
    auto& [top, use] = stack_.back();
    if (use == values_.uses(top).end()) {
      ranks_[top] = static_cast<Index>(order_.size());
      order_.push_back(top);
      stack_.pop_back();
    } else {
      const Index needed = values_.defining_node((use++)->value);
      if (needed != GraphIndex::kNone) enter(needed);
    }
  }
}

void Ranking::enter(Index node) {
  if (!is_ranked(node)) stack_.emplace_back(node, values_.uses(node).begin());
}

Precedence::Precedence(const Graph& graph, const GraphIndex& values, const OperatorSet& operators)
    : followers_(graph.nodes.size()), waiting_for_(graph.nodes.size(), 0) {
  DisjointSets memory = values_by_memory(graph, values, operators);
  std::vector<Access> accesses(values.size());
  Index last_effect = GraphIndex::kNone;
  Access mode;
  for (Index node = 0; node < graph.nodes.size(); ++node) {
    const bool has_effect = has_effects(graph.nodes[node], operators);
    const Operator* const op = operators.find(graph.nodes[node].target);
    if (has_effect) add(std::exchange(last_effect, node), node);
    access(mode, node, is_barrier(graph.nodes[node]));
    for (const GraphIndex::Use& use : values.uses(node)) {
      add(values.defining_node(use.value), node);
      const bool writes = has_effect && writes_input(graph.nodes[node], use.input, op);
      access(accesses[memory.find(use.value)], node, writes);
    }
  }
}

std::vector<Precedence::Index> Precedence::order(const Ranking& ranking) const {
  const std::vector<Index>& by_rank = ranking.order();
  std::vector<Index> waiting_for = waiting_for_;
  std::priority_queue<Index, std::vector<Index>, std::greater<Index>> ready;
  for (Index node = 0; node < waiting_for.size(); ++node) {
    if (waiting_for[node] == 0) ready.push(ranking.rank(node));
  }
  std::vector<Index> order;
  order.reserve(by_rank.size());
  while (!ready.empty()) {
    order.push_back(by_rank[ready.top()]);
    ready.pop();
    for (const Index follower : followers_[order.back()]) {
      if (--waiting_for[follower] == 0) ready.push(ranking.rank(follower));
    }
  }
  return order;
}

void Precedence::add(Index before, Index after) {
  if (before == GraphIndex::kNone || before == after) return;
  followers_[before].push_back(after);
  ++waiting_for_[after];
}

void Precedence::access(Access& memory, Index node, bool writes) {
  add(memory.last_writer, node);
  if (!writes) return memory.readers.push_back(node);
  for (const Index reader : memory.readers) add(reader, node);
  memory.readers.clear();
  memory.last_writer = node;
}

bool any_changes_memory(const Graph& graph, const OperatorSet& operators) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(),
                     [&](const Node& node) { return changes_memory(node, operators); });
}

}  // namespace pt2
