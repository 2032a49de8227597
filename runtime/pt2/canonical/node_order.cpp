#include "pt2/canonical/node_order.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pt2/canonical/dead_nodes.h"
#include "pt2/canonical/expressions.h"
#include "pt2/canonical/map_order.h"
#include "pt2/canonical/precedence.h"
#include "pt2/canonical/ranking.h"
#include "pt2/graph/effects.h"
#include "pt2/graph/index.h"
#include "pt2/graph/walk.h"
#include "pt2/text/symbolic_text.h"
#include "schemagen/base/value_path.h"

namespace pt2 {
namespace {

/// Nodes with effects, and what these or the outputs need, have an unambiguous order.
Ranking ranking_of_needed(const Graph& graph, const GraphIndex& values, const OperatorSet& operators) {
  Ranking ranking(values, graph.nodes.size());
  for (std::uint32_t node = 0; node < graph.nodes.size(); ++node) {
    if (has_effects(graph.nodes[node], operators)) ranking.add(node);
  }
  for (const std::uint32_t output : values.graph_outputs()) {
    if (values.defining_node(output) != GraphIndex::kNone) ranking.add(values.defining_node(output));
  }
  return ranking;
}

void add_symbols(SymbolNumbers& symbols, const Graph& graph, const Ranking& ranking) {
  const auto add_defined = [&](const std::string& name) {
    for_each_table(graph, [&](const auto& table, ValueName::Table) {
      const auto* const entry = table.find(name);
      if (entry == nullptr) return;
      for_each_expression(*entry, [&](const std::string& text) {
        const SymbolicText expression(text);
        const std::string symbol(expression.only_symbol());
        if (!symbol.empty()) symbols.add(symbol);
      });
    });
  };
  for_each_name(graph.inputs, add_defined);
  for (const std::uint32_t node : ranking.order()) for_each_name(graph.nodes[node].outputs, add_defined);
}

bool has_subgraphs(const Graph& graph) {
  bool found = false;
  for (const Node& node : graph.nodes) {
    for_each_subgraph(node, [&](const GraphArgument&) { found = true; });
  }
  return found;
}

void order_nodes(Graph& graph, const std::string& path, const SymbolNumbers* outer_symbols,
                 const schemagen::Map<RangeConstraint>& ranges, const OperatorSet& operators) {
  std::vector<std::uint32_t> order;
  {
    const GraphIndex values(graph);
    values.require_order(path);
    Ranking ranking = ranking_of_needed(graph, values, operators);
    SymbolNumbers symbols(outer_symbols);
    if (has_subgraphs(graph) || ranking.order().size() < graph.nodes.size()) {
      add_symbols(symbols, graph, ranking);
    }
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      for_each_subgraph(graph.nodes[i], [&](GraphArgument& subgraph) {
        std::string subgraph_path = path + ".nodes";
        schemagen::append_index(subgraph_path, i);
        schemagen::append_key(subgraph_path, subgraph.name);
        order_nodes(*subgraph.graph, subgraph_path, &symbols, ranges, operators);
      });
    }
    // Otherwise, ranks keep nodes with effects in order, and all nodes after their operands.
    std::optional<Precedence> precedence;
    if (any_changes_memory(graph, operators)) precedence.emplace(graph, values, operators);
    rank_dead_nodes({graph, values, precedence ? &*precedence : nullptr, symbols, ranges}, ranking);
    order = precedence ? precedence->order(ranking) : ranking.order();
  }
  graph.nodes = in_order(std::move(graph.nodes), order);
}

}  // namespace

void order_nodes(ExportedProgram& program, const OperatorSet& operators) {
  order_nodes(program.graph_module.graph, "graph_module.graph", nullptr, program.range_constraints,
              operators);
}

}  // namespace pt2
