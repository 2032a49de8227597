#include "pt2/edit/passes.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pt2/edit/graph.h"
#include "pt2/edit/placement.h"
#include "pt2/graph/effects.h"
#include "pt2/graph/index.h"
#include "pt2/graph/walk.h"
#include "pt2/text/affix.h"
#include "pt2/text/symbolic_text.h"

namespace pt2 {
namespace {

template <class Visit>
void for_each_unbacked_symbol(const Graph& graph, std::string_view name, const Visit& visit) {
  for_each_table(graph, [&](const auto& table, ValueName::Table) {
    const auto* const entry = table.find(name);
    if (entry == nullptr) return;
    for_each_expression(*entry, [&](const std::string& text) {
      SymbolicText(text).for_each_symbol([&](std::string_view symbol) {
        if (starts_with(symbol, "u") || starts_with(symbol, "zuf")) visit(symbol);
      });
    });
  });
}

class LiveNodes {
 public:
  LiveNodes(const Graph& graph, const OperatorSet& operators) : index_(graph), is_live_(graph.nodes.size()) {
    for (std::uint32_t node = 0; node < index_.node_count(); ++node) {
      if (has_effects(graph.nodes[node], operators)) need_node(node);
    }
    for (const std::uint32_t value : index_.graph_outputs()) need(value);
  }

  void need(std::string_view name) {
    const std::uint32_t value = index_.find(name);
    if (value != GraphIndex::kNone) need(value);
  }

  /// The first value with an unbacked symbol defines it for later ones.
  void need_symbols() {
    const Graph& graph = index_.graph();
    schemagen::Map<std::uint32_t> first;
    std::vector<std::vector<std::uint32_t>> needed(index_.size());
    for (std::uint32_t value = 0; value < index_.defined_count(); ++value) {
      for_each_unbacked_symbol(graph, index_.name(value), [&](std::string_view symbol) {
        const auto [giver, is_new] = first.try_emplace(std::string(symbol));
        if (is_new) *giver = value;
        needed[value].push_back(*giver);
      });
    }
    if (first.empty()) return;
    std::vector<std::uint32_t> open;
    for (std::uint32_t value = 0; value < index_.defined_count(); ++value) {
      const std::uint32_t node = index_.defining_node(value);
      if (node == GraphIndex::kNone || is_live_[node]) open.push_back(value);
    }
    while (!open.empty()) {
      const std::uint32_t value = open.back();
      open.pop_back();
      for (const std::uint32_t giver : needed[value]) {
        for (const std::uint32_t node : need(giver)) {
          for (auto out = index_.outputs_begin(node); out < index_.outputs_end(node); ++out)
            open.push_back(out);
        }
      }
    }
  }

  bool has(std::size_t node) const { return is_live_[node]; }

 private:
  std::vector<std::uint32_t> need(std::uint32_t value) {
    const std::uint32_t node = index_.defining_node(value);
    return node == GraphIndex::kNone ? std::vector<std::uint32_t>() : need_node(node);
  }

  std::vector<std::uint32_t> need_node(std::uint32_t node) {
    std::vector<std::uint32_t> found;
    if (is_live_[node]) return found;
    is_live_[node] = true;
    found.push_back(node);
    for (std::size_t i = 0; i < found.size(); ++i) {
      for (const GraphIndex::Use& use : index_.uses(found[i])) {
        const std::uint32_t other = index_.defining_node(use.value);
        if (other == GraphIndex::kNone || is_live_[other]) continue;
        is_live_[other] = true;
        found.push_back(other);
      }
    }
    return found;
  }

  const GraphIndex index_;
  std::vector<bool> is_live_;
};

std::size_t keep(const LiveNodes& live, Graph& graph) {
  std::vector<Node> kept;
  schemagen::Map<bool> gone;
  for (std::size_t node = 0; node < graph.nodes.size(); ++node) {
    if (live.has(node)) {
      kept.push_back(std::move(graph.nodes[node]));
      continue;
    }
    for_each_name(graph.nodes[node].outputs, [&](const std::string& name) { gone.try_emplace(name); });
  }
  const std::size_t count = graph.nodes.size() - kept.size();
  graph.nodes = std::move(kept);
  remove_values(graph, gone);
  return count;
}

/// Subgraphs first: without effects in them, a node may be dead.
std::size_t drop(GraphModule& module, Graph& graph, const OperatorSet& operators) {
  std::size_t count = 0;
  for (Node& node : graph.nodes) {
    for_each_subgraph(node,
                      [&](GraphArgument& subgraph) { count += drop(module, *subgraph.graph, operators); });
  }
  LiveNodes live(graph, operators);
  if (&graph == &module.graph) {
    for (const auto& entry : module_values(module)) live.need(entry.key());
  }
  live.need_symbols();
  return count + keep(live, graph);
}

}  // namespace

std::size_t drop_dead_nodes(ExportedProgram& program, const OperatorSet& operators) {
  return drop(program.graph_module, program.graph_module.graph, operators);
}

}  // namespace pt2
