#include "pt2/canonical/stages.h"

#include "pt2/canonical/description.h"
#include "pt2/canonical/map_order.h"
#include "pt2/graph/effects.h"
#include "pt2/graph/index.h"
#include "pt2/graph/walk.h"
#include "pt2/json.h"
#include "schemagen/base/value_path.h"

namespace pt2 {
namespace {

using Index = std::uint32_t;

class Ranking {
 public:
  Ranking(const GraphIndex& values, std::size_t nodes) : values_(values), ranks_(nodes, GraphIndex::kNone) {}

  bool is_ranked(Index node) const { return ranks_[node] != GraphIndex::kNone; }
  Index rank(Index node) const { return ranks_[node]; }
  const std::vector<Index>& order() const { return order_; }

  /// Ranks the unranked nodes that `node` depends on, operand by operand, and then `node`.
  void add(Index node) {
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

 private:
  void enter(Index node) {
    if (!is_ranked(node)) stack_.emplace_back(node, values_.uses(node).begin());
  }

  const GraphIndex& values_;
  std::vector<Index> ranks_;
  std::vector<Index> order_;
  std::vector<std::pair<Index, const GraphIndex::Use*>> stack_;
};

bool changes_memory(const Node& node, const OperatorSet& operators) {
  if (!has_effects(node, operators)) return false;
  bool writes = is_barrier(node);
  const Operator* const op = operators.find(node.target);
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    for_each_name(node.inputs[i], [&](const std::string&) { writes = writes || writes_input(node, i, op); });
  }
  return writes;
}

/// Whether a node writes to memory that others see. If none does, only effects and data must be kept in
/// order.
bool any_changes_memory(const Graph& graph, const OperatorSet& operators) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(),
                     [&](const Node& node) { return changes_memory(node, operators); });
}

/// The constraints on the order of nodes: effects stay in order, each node comes after its operands, and a
/// node that might see another node's writes stays on the same side of them.
class Precedence {
 public:
  Precedence(const Graph& graph, const GraphIndex& values, const OperatorSet& operators)
      : followers_(graph.nodes.size()), waiting_for_(graph.nodes.size(), 0) {
    MemoryGroups memory(values, operators);
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

  const std::vector<Index>& followers(Index node) const { return followers_[node]; }

  /// Always takes the available node with the lowest rank. All nodes must have a rank.
  std::vector<Index> order(const Ranking& ranking) const {
    return order_by_key(
        waiting_for_, [&](Index node) { return ranking.rank(node); },
        [&](Index node, const auto& visit) {
          for (const Index follower : followers_[node]) visit(follower);
        });
  }

 private:
  struct Access {
    Index last_writer = GraphIndex::kNone;
    std::vector<Index> readers;
  };

  void add(Index before, Index after) {
    if (before == GraphIndex::kNone || before == after) return;
    followers_[before].push_back(after);
    ++waiting_for_[after];
  }

  void access(Access& memory, Index node, bool writes) {
    add(memory.last_writer, node);
    if (!writes) return memory.readers.push_back(node);
    for (const Index reader : memory.readers) add(reader, node);
    memory.readers.clear();
    memory.last_writer = node;
  }

  std::vector<std::vector<Index>> followers_;
  std::vector<Index> waiting_for_;
};

/// Numbers the symbols that live values define in a graph and in the graphs around it, in the order of those
/// values.
struct SymbolNumbers {
  SymbolicText::NumberOf find;
  std::size_t count = 0;
};

struct DeadNodes {
  const Graph& graph;  // its subgraphs are already ordered
  const GraphIndex& values;
  const Precedence* precedence;  // null if nothing writes to memory
  const SymbolicText::NumberOf& number_of;
  const schemagen::Map<RangeConstraint>& ranges;
};

/// Names that several nodes may share are vertices, too: symbols, subgraphs and undefined values.
class ColouredNodes {
 public:
  ColouredNodes(const DeadNodes& nodes, const Ranking& ranking) : nodes_(nodes), ranking_(ranking) {
    for (Index node = 0; node < nodes_.graph.nodes.size(); ++node) {
      if (!ranking_.is_ranked(node)) dead_.push_back(node);
    }
    if (dead_.empty()) return;
    number_names();
    find_users_and_neighbours();
    vertices_.assign(nodes_.graph.nodes.size(), 0);
    for (const Index node : dead_) add(node);
    for (const Index node : dead_) add_operands(node);
  }

  /// The dead nodes without users. Their order depends only on structure as far as ColouredGraph::order() can
  /// distinguish the nodes, and otherwise on their order in the graph.
  std::vector<Index> ends() const {
    std::vector<Index> ends;
    if (dead_.empty()) return ends;
    const std::vector<ColouredGraph::Vertex> order = coloured_.order();
    std::vector<Index> node_of(order.size(), GraphIndex::kNone);
    for (const Index node : dead_) node_of[vertices_[node]] = node;
    for (const ColouredGraph::Vertex vertex : order) {
      const Index node = node_of[vertex];
      if (node != GraphIndex::kNone && !has_users_[node]) ends.push_back(node);
    }
    return ends;
  }

 private:
  void number_names() {
    free_values_.assign(nodes_.values.size(), "");
    std::size_t count = 0;
    const auto add_use = [&](std::uint32_t value) {
      if (is_free(value) && free_values_[value].empty()) free_values_[value] = std::to_string(count++);
    };
    for (const Index node : ranking_.order()) {
      for (const GraphIndex::Use& use : nodes_.values.uses(node)) {
        add_use(use.value);
      }
      for_each_subgraph(nodes_.graph.nodes[node],
                        [&](const GraphArgument& subgraph) { subgraphs_.number(subgraph.name); });
    }
    for (const std::uint32_t value : nodes_.values.graph_outputs()) add_use(value);
  }

  void find_users_and_neighbours() {
    has_users_.assign(nodes_.graph.nodes.size(), false);
    neighbours_.resize(nodes_.precedence == nullptr ? 0 : nodes_.graph.nodes.size());
    for (const Index node : dead_) {
      for (const GraphIndex::Use& use : nodes_.values.uses(node)) {
        const Index needed = nodes_.values.defining_node(use.value);
        if (needed != GraphIndex::kNone) has_users_[needed] = true;
      }
    }
    for (Index node = 0; node < neighbours_.size(); ++node) {
      for (const Index follower : nodes_.precedence->followers(node)) {
        note_neighbours(node, follower);
      }
    }
  }

  /// By the ranks of the live nodes that it must stay before or after.
  void note_neighbours(Index before, Index after) {
    if (ranking_.is_ranked(before) && !ranking_.is_ranked(after)) {
      neighbours_[after].push_back(">" + std::to_string(ranking_.rank(before)));
    }
    if (ranking_.is_ranked(after) && !ranking_.is_ranked(before)) {
      neighbours_[before].push_back("<" + std::to_string(ranking_.rank(after)));
    }
  }

  bool is_free(std::uint32_t value) const { return !nodes_.values.is_defined(value); }

  void add(Index node) {
    const Node& known = nodes_.graph.nodes[node];
    Graph alone;
    alone.nodes.push_back(known);
    for_each_name(known.outputs, [&](const std::string& name) { copy_entries(nodes_.graph, name, alone); });
    vertices_[node] = coloured_.add_vertex("");
    const std::string text = describer_.text(std::move(alone), vertices_[node]);
    std::string neighbours;
    if (!neighbours_.empty()) {
      std::sort(neighbours_[node].begin(), neighbours_[node].end());
      for (const std::string& neighbour : neighbours_[node]) neighbours += " " + neighbour;
    }
    // Nodes without users first, because ends() needs their final order.
    coloured_.set_colour(vertices_[node],
                         (has_users_[node] ? "1 " : "0 ") + text + neighbours + operands_text(node));
  }

  /// Dead operands are indistinguishable.
  std::string operands_text(Index node) const {
    std::string text;
    for (const GraphIndex::Use& use : nodes_.values.uses(node)) {
      const Index needed = nodes_.values.defining_node(use.value);
      if (needed == GraphIndex::kNone) {
        text += is_free(use.value) ? " free" : " input " + std::to_string(use.value);
      } else if (ranking_.is_ranked(needed)) {
        text += " " + std::to_string(ranking_.rank(needed)) + "." + output_text(needed, use.value);
      } else {
        text += " dead";
      }
    }
    return text;
  }

  std::string output_text(Index node, std::uint32_t value) const {
    return std::to_string(value - nodes_.values.outputs_begin(node));
  }

  void add_operands(Index node) {
    const auto* use = nodes_.values.uses(node).begin();
    for_each_name(nodes_.graph.nodes[node].inputs, [&](const std::string& name) {
      if (name.empty()) return;
      const std::string place = std::to_string(use - nodes_.values.uses(node).begin());
      const std::uint32_t value = (use++)->value;
      const Index needed = nodes_.values.defining_node(value);
      if (needed != GraphIndex::kNone && !ranking_.is_ranked(needed)) {
        coloured_.add_edge(vertices_[node], vertices_[needed], place + "." + output_text(needed, value));
      } else if (is_free(value)) {
        coloured_.add_edge(vertices_[node], free_vertex(name, value), place);
      }
    });
    std::size_t index = 0;
    for_each_subgraph(nodes_.graph.nodes[node], [&](const GraphArgument& subgraph) {
      const std::uint32_t number = subgraphs_.find(subgraph.name);
      const std::string colour =
          number == NameNumbers::kNone ? "2 graph" : "2 graph " + std::to_string(number);
      coloured_.add_edge(vertices_[node], shared("graph " + subgraph.name, colour),
                         "graph " + std::to_string(index++));
    });
  }

  ColouredGraph::Vertex free_vertex(const std::string& name, std::uint32_t value) {
    const bool is_known = shared_.contains("value " + name);
    const ColouredGraph::Vertex vertex = shared("value " + name, "");
    if (!is_known) {
      const std::string text = describer_.text(entries_alone(nodes_.graph, name), vertex);
      coloured_.set_colour(vertex, "2 value " + free_values_[value] + " " + text);
    }
    return vertex;
  }

  ColouredGraph::Vertex shared(const std::string& name, const std::string& colour) {
    const auto [vertex, is_new] = shared_.try_emplace(name);
    if (is_new) *vertex = coloured_.add_vertex(colour);
    return *vertex;
  }

  ColouredGraph::Vertex vertex_of(const std::string& symbol) {
    std::string colour = "2 symbol " + std::string(symbol_letters(symbol));
    if (const RangeConstraint* const range = nodes_.ranges.find(symbol)) colour += schemagen::to_json(*range);
    return shared("symbol " + symbol, colour);
  }

  const DeadNodes& nodes_;
  const Ranking& ranking_;
  std::vector<Index> dead_;
  std::vector<std::string> free_values_;
  NameNumbers subgraphs_;
  std::vector<bool> has_users_;
  std::vector<std::vector<std::string>> neighbours_;
  std::vector<ColouredGraph::Vertex> vertices_;
  schemagen::Map<ColouredGraph::Vertex> shared_;
  ColouredGraph coloured_;
  Describer describer_{coloured_, nodes_.number_of,
                       [this](const std::string& symbol) { return vertex_of(symbol); }};
};

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

/// Those that `outer` lacks.
schemagen::Map<std::size_t> own_symbols(const Graph& graph, const Ranking& ranking,
                                        const SymbolNumbers& outer) {
  schemagen::Map<std::size_t> numbers;
  const auto add_defined = [&](const std::string& name) {
    for_each_table(graph, [&](const auto& table, ValueName::Table) {
      const auto* const entry = table.find(name);
      if (entry == nullptr) return;
      for_each_expression(*entry, [&](const std::string& text) {
        const SymbolicText expression(text);
        const std::string symbol(expression.only_symbol());
        const std::size_t number = outer.count + numbers.size();
        if (!symbol.empty() && !outer.find(symbol)) numbers.insert(symbol, number);
      });
    });
  };
  for_each_name(graph.inputs, add_defined);
  for (const std::uint32_t node : ranking.order()) for_each_name(graph.nodes[node].outputs, add_defined);
  return numbers;
}

bool has_subgraphs(const Graph& graph) {
  bool found = false;
  for (const Node& node : graph.nodes) {
    for_each_subgraph(node, [&](const GraphArgument&) { found = true; });
  }
  return found;
}

void order_nodes(Graph& graph, const std::string& path, const SymbolNumbers& outer,
                 const schemagen::Map<RangeConstraint>& ranges, const OperatorSet& operators) {
  std::vector<std::uint32_t> order;
  {
    const GraphIndex values(graph);
    values.require_order(path);
    Ranking ranking = ranking_of_needed(graph, values, operators);
    schemagen::Map<std::size_t> own;
    if (has_subgraphs(graph) || ranking.order().size() < graph.nodes.size())
      own = own_symbols(graph, ranking, outer);
    const auto number_of = [&](std::string_view symbol) {
      const std::size_t* const number = own.find(symbol);
      return number == nullptr ? outer.find(symbol) : std::optional(*number);
    };
    const SymbolNumbers symbols = {number_of, outer.count + own.size()};
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      for_each_subgraph(graph.nodes[i], [&](GraphArgument& subgraph) {
        std::string subgraph_path = path + ".nodes";
        schemagen::append_index(subgraph_path, i);
        schemagen::append_key(subgraph_path, subgraph.name);
        order_nodes(*subgraph.graph, subgraph_path, symbols, ranges, operators);
      });
    }
    // Otherwise, ranks keep nodes with effects in order, and all nodes after their operands.
    std::optional<Precedence> precedence;
    if (any_changes_memory(graph, operators)) precedence.emplace(graph, values, operators);
    const DeadNodes dead = {graph, values, precedence ? &*precedence : nullptr, symbols.find, ranges};
    for (const Index end : ColouredNodes(dead, ranking).ends()) ranking.add(end);
    order = precedence ? precedence->order(ranking) : ranking.order();
  }
  graph.nodes = in_order(std::move(graph.nodes), order);
}

}  // namespace

void order_nodes(ExportedProgram& program, const OperatorSet& operators) {
  const SymbolNumbers none = {[](std::string_view) { return std::nullopt; }};
  order_nodes(program.graph_module.graph, "graph_module.graph", none, program.range_constraints, operators);
}

}  // namespace pt2
