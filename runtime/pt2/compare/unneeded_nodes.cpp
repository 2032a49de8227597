#include "pt2/compare/unneeded_nodes.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pt2/compare/refinement.h"
#include "pt2/compare/symbol_roles.h"
#include "pt2/compare/value_renaming.h"
#include "pt2/graph/name_numbers.h"
#include "pt2/graph/value_slots.h"
#include "pt2/graph/walk.h"
#include "pt2/json.h"

namespace pt2 {
namespace {

using Index = Ranking::Index;

/// Makes the nodes a coloured graph. What several of them may name, and no needed node says what it is, are
/// vertices too: symbols, subgraphs, and values that nothing defines.
class Description {
 public:
  Description(const UnneededNodes& nodes, const Ranking& ranking) : nodes_(nodes), ranking_(ranking) {
    for (Index node = 0; node < nodes_.graph.nodes.size(); ++node) {
      if (!ranking_.is_ranked(node)) unneeded_.push_back(node);
    }
    if (unneeded_.empty()) return;
    number_names();
    find_users_and_neighbours();
    vertices_.assign(nodes_.graph.nodes.size(), 0);
    for (const Index node : unneeded_) add(node);
    for (const Index node : unneeded_) add_operands(node);
  }

  /// Those without users, in order.
  std::vector<Index> ends() const {
    std::vector<Index> ends;
    if (unneeded_.empty()) return ends;
    for (const ColouredGraph::Vertex vertex : coloured_.order()) {
      const Index node = node_of_[vertex];
      if (node != GraphIndex::kNone && !has_users_[node]) ends.push_back(node);
    }
    return ends;
  }

 private:
  /// Gives numbers to the names that needed nodes use, in the order of these.
  void number_names() {
    free_values_.assign(nodes_.values.size(), "");
    std::size_t count = 0;
    const auto add_use = [&](std::uint32_t value) {
      if (is_free(value) && free_values_[value].empty()) free_values_[value] = std::to_string(count++);
    };
    for (const Index node : ranking_.order()) {
      for (const auto* use = nodes_.values.uses(node).begin(); use != nodes_.values.uses(node).end(); ++use) {
        add_use(use->value);
      }
      for_each_subgraph(nodes_.graph.nodes[node],
                        [&](const GraphArgument& subgraph) { subgraphs_.number(subgraph.name); });
    }
    for (const std::uint32_t value : nodes_.values.graph_outputs()) add_use(value);
  }

  void find_users_and_neighbours() {
    has_users_.assign(nodes_.graph.nodes.size(), false);
    neighbours_.resize(nodes_.precedence == nullptr ? 0 : nodes_.graph.nodes.size());
    for (const Index node : unneeded_) {
      for (const auto* use = nodes_.values.uses(node).begin(); use != nodes_.values.uses(node).end(); ++use) {
        const Index needed = nodes_.values.defining_node(use->value);
        if (needed != GraphIndex::kNone) has_users_[needed] = true;
      }
    }
    for (Index node = 0; node < neighbours_.size(); ++node) {
      for (const Index follower : nodes_.precedence->followers(node)) {
        note_neighbours(node, follower);
      }
    }
  }

  /// Of two nodes that must stay in order, each is known by the other one's rank.
  void note_neighbours(Index before, Index after) {
    if (ranking_.is_ranked(before) && !ranking_.is_ranked(after)) {
      neighbours_[after].push_back(">" + std::to_string(ranking_.rank(before)));
    }
    if (ranking_.is_ranked(after) && !ranking_.is_ranked(before)) {
      neighbours_[before].push_back("<" + std::to_string(ranking_.rank(after)));
    }
  }

  bool is_free(std::uint32_t value) const { return !nodes_.values.is_defined(value); }

  std::optional<std::size_t> symbol_number(std::string_view symbol) const {
    const std::size_t* const number = nodes_.symbols.find(symbol);
    return number == nullptr ? std::nullopt : std::optional(*number);
  }

  void add(Index node) {
    const Node& known = nodes_.graph.nodes[node];
    Graph alone;
    alone.nodes.push_back(known);
    for (const Argument& output : known.outputs) {
      for_each_slot(output, [&](const std::string* name, ValueName::Table) {
        if (name != nullptr) copy_entries(alone, *name);
      });
    }
    std::vector<Mention> mentions;
    std::string key = key_of(alone, mentions);
    std::string neighbours;
    if (!neighbours_.empty()) {
      std::sort(neighbours_[node].begin(), neighbours_[node].end());
      for (const std::string& neighbour : neighbours_[node]) neighbours += " " + neighbour;
    }
    // Ends come first, so that they are what is singled out, and in the order in which they will stand.
    vertices_[node] = coloured_.add_vertex((has_users_[node] ? "1 " : "0 ") + std::move(key) + neighbours +
                                           operands_text(node));
    node_of_.push_back(node);
    add_mentions(vertices_[node], mentions);
  }

  /// What is known already of a node's operands.
  std::string operands_text(Index node) const {
    std::string text;
    for (const auto* use = nodes_.values.uses(node).begin(); use != nodes_.values.uses(node).end(); ++use) {
      const Index needed = nodes_.values.defining_node(use->value);
      if (needed == GraphIndex::kNone) {
        text += is_free(use->value) ? " free" : " input " + std::to_string(use->value);
      } else if (ranking_.is_ranked(needed)) {
        text += " " + std::to_string(ranking_.rank(needed)) + "." + output_text(needed, use->value);
      } else {
        text += " unneeded";
      }
    }
    return text;
  }

  std::string output_text(Index node, std::uint32_t value) const {
    return std::to_string(value - nodes_.values.outputs_begin(node));
  }

  void add_operands(Index node) {
    const auto* use = nodes_.values.uses(node).begin();
    for (const NamedArgument& input : nodes_.graph.nodes[node].inputs) {
      for_each_slot(input.arg, [&](const std::string* name, ValueName::Table) {
        if (name == nullptr || name->empty()) return;
        const std::string place = std::to_string(use - nodes_.values.uses(node).begin());
        const std::uint32_t value = (use++)->value;
        const Index needed = nodes_.values.defining_node(value);
        if (needed != GraphIndex::kNone && !ranking_.is_ranked(needed)) {
          coloured_.add_edge(vertices_[node], vertices_[needed], place + "." + output_text(needed, value));
        } else if (is_free(value)) {
          coloured_.add_edge(vertices_[node], free_vertex(*name, value), place);
        }
      });
    }
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
    Graph alone;
    copy_entries(alone, name);
    std::vector<Mention> mentions;
    const std::size_t known = shared_.size();
    const ColouredGraph::Vertex vertex =
        shared("value " + name, "2 value " + free_values_[value] + " " + key_of(alone, mentions));
    if (shared_.size() > known) add_mentions(vertex, mentions);
    return vertex;
  }

  /// The vertex of what is called `name`, which is made when it is first asked for.
  ColouredGraph::Vertex shared(const std::string& name, const std::string& colour) {
    const auto [vertex, is_new] = shared_.try_emplace(name);
    if (is_new) {
      *vertex = coloured_.add_vertex(colour);
      node_of_.push_back(GraphIndex::kNone);
    }
    return *vertex;
  }

  // ---- What a node is, apart from names ----

  /// A symbol that no needed value tells, and what is said of it.
  struct Mention {
    std::string symbol;
    std::string role;
  };

  void copy_entries(Graph& to, const std::string& name) const {
    for_each_table(nodes_.graph, to, [&](const auto& from_table, auto& to_table, ValueName::Table) {
      if (const auto* const entry = from_table.find(name)) to_table[name] = *entry;
    });
  }

  /// All of a graph of one node, or of one value, but names.
  std::string key_of(Graph& alone, std::vector<Mention>& mentions) const {
    rename_values(alone);
    const auto number_of = [&](std::string_view symbol) { return symbol_number(symbol); };
    std::size_t index = 0;
    for (std::string* const text : expressions_in_order(alone)) {
      const SymbolicText expression(*text);
      for (std::string& symbol : unknown_symbols(expression, number_of)) {
        std::string role = std::to_string(index) + " " + role_in(expression, symbol, number_of);
        mentions.push_back({std::move(symbol), std::move(role)});
      }
      *text = role_in(expression, {}, number_of);
      ++index;
    }
    return schemagen::to_json(alone);
  }

  void add_mentions(ColouredGraph::Vertex vertex, const std::vector<Mention>& mentions) {
    for (const Mention& mention : mentions) {
      std::string colour = "2 symbol " + std::string(symbol_letters(mention.symbol));
      if (const RangeConstraint* const range = nodes_.ranges.find(mention.symbol)) {
        colour += schemagen::to_json(*range);
      }
      coloured_.add_edge(vertex, shared("symbol " + mention.symbol, colour), mention.role);
    }
  }

  const UnneededNodes& nodes_;
  const Ranking& ranking_;
  std::vector<Index> unneeded_;                       // as they stand
  std::vector<std::string> free_values_;              // numbers by value; empty: no needed node names it
  NameNumbers subgraphs_;                             // that needed nodes name
  std::vector<bool> has_users_;                       // by node
  std::vector<std::vector<std::string>> neighbours_;  // by node; empty: no precedence
  std::vector<ColouredGraph::Vertex> vertices_;       // by node
  std::vector<Index> node_of_;                        // by vertex; kNone: it is a name
  schemagen::Map<ColouredGraph::Vertex> shared_;      // by kind and name
  ColouredGraph coloured_;
};

}  // namespace

void rank_unneeded(const UnneededNodes& nodes, Ranking& ranking) {
  for (const Index end : Description(nodes, ranking).ends()) ranking.add(end);
}

}  // namespace pt2
