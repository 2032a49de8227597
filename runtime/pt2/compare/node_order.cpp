#include "pt2/compare/node_order.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <queue>
#include <string_view>
#include <utility>
#include <vector>

#include "pt2/graph/effects.h"
#include "pt2/graph/graph_values.h"
#include "pt2/graph/name_numbers.h"
#include "pt2/graph/value_slots.h"
#include "pt2/graph/walk.h"
#include "pt2/show/argument_text.h"
#include "schemagen/value/value_path.h"

namespace pt2 {
namespace {

using Index = std::uint32_t;  // of a node
constexpr std::uint32_t kNone = GraphValues::kNone;

// ---- Ranks: what the structure says ----

/// Ranks nodes in the order in which they are needed, each after what it needs itself.
class Ranking {
 public:
  Ranking(const GraphValues& values, std::size_t nodes) : values_(values), ranks_(nodes, kNone) {}

  bool is_ranked(Index node) const { return ranks_[node] != kNone; }
  Index rank(Index node) const { return ranks_[node]; }
  /// The nodes by rank, so far.
  const std::vector<Index>& order() const { return order_; }

  /// Ranks what `node` needs that has no rank yet, operand by operand, then `node`.
  void add(Index node) {
    enter(node);
    while (!stack_.empty()) {
      auto& [top, use] = stack_.back();
      if (use == values_.uses_end(top)) {
        ranks_[top] = static_cast<Index>(order_.size());
        order_.push_back(top);
        stack_.pop_back();
      } else {
        const Index needed = values_.defining_node((use++)->value);
        if (needed != kNone) enter(needed);
      }
    }
  }

 private:
  void enter(Index node) {
    if (!is_ranked(node)) stack_.emplace_back(node, values_.uses_begin(node));
  }

  const GraphValues& values_;
  std::vector<Index> ranks_;
  std::vector<Index> order_;
  std::vector<std::pair<Index, const GraphValues::Use*>> stack_;  // nodes whose operands are being ranked
};

/// Sets of numbers below a size; at first, each number is one of its own.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t size) : parents_(size) {
    std::iota(parents_.begin(), parents_.end(), 0u);
  }

  /// The number that stands for the set of `number`.
  std::uint32_t find(std::uint32_t number) {
    while (parents_[number] != number) number = parents_[number] = parents_[parents_[number]];
    return number;
  }
  void unite(std::uint32_t a, std::uint32_t b) { parents_[find(a)] = find(b); }

 private:
  std::vector<std::uint32_t> parents_;
};

// ---- Nodes that nobody needs ----

/// A hash that is the same in every run.
class Hash {
 public:
  Hash& add(std::uint64_t number) {
    // The finaliser of splitmix64.
    std::uint64_t x = value_ + 0x9e3779b97f4a7c15u + number;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    value_ = x ^ (x >> 31);
    return *this;
  }
  Hash& add(std::string_view text) {
    add(text.size());
    for (const char c : text) add(static_cast<unsigned char>(c));
    return *this;
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0;
};

/// What is known of a tensor beside symbols, whose names say nothing.
void add_type(Hash& hash, const Graph& graph, const ValueName& value) {
  hash.add(static_cast<std::uint64_t>(value.table));
  const TensorMeta* const meta = graph.tensor_values.find(value.name);
  if (value.table != ValueName::Table::tensors || meta == nullptr) return;
  hash.add(static_cast<std::uint64_t>(meta->dtype)).add(meta->sizes.size());
  for (const SymInt& size : meta->sizes) {
    const auto* const number = size.get_if<SymInt::as_int>();
    hash.add(number == nullptr ? ~std::uint64_t{0} : static_cast<std::uint64_t>(*number));
  }
}

void add_graph(Hash& hash, const Graph& graph);

/// All of a node but the values that it names, which stand as `value` says.
void add_node(Hash& hash, const Graph& graph, const Node& node, const ValueText& value) {
  hash.add(node.target)
      .add(node.inputs.size())
      .add(node.is_hop_single_tensor_return.value_or(true) ? 1u : 0u);
  for (const NamedArgument& input : node.inputs) {
    hash.add(input.name).add(static_cast<std::uint64_t>(input.kind.value_or(ArgumentKind::UNKNOWN)));
    hash.add(static_cast<std::uint64_t>(input.arg.kind()));
    hash.add(input.arg.is<Argument::as_graph>() ? std::string() : argument_text(input.arg, value));
    for_each_subgraph(input.arg, [&](const GraphArgument& subgraph) { add_graph(hash, *subgraph.graph); });
  }
  for (const Argument& output : node.outputs) {
    argument_text(output, [&](const ValueName& name) {
      add_type(hash, graph, name);
      return std::string();
    });
  }
}

/// A subgraph, whose nodes are in their final order.
void add_graph(Hash& hash, const Graph& graph) {
  NameNumbers numbers;
  const ValueText number = [&](const ValueName& value) { return std::to_string(numbers.number(value.name)); };
  for (const Argument& input : graph.inputs) hash.add(argument_text(input, number));
  for (const Node& node : graph.nodes) {
    add_node(hash, graph, node, number);
    for (const Argument& output : node.outputs) hash.add(argument_text(output, number));
  }
  for (const Argument& output : graph.outputs) hash.add(argument_text(output, number));
}

/// Ranks the nodes that nobody needs: those whose results are not used, by what they are, each after what it
/// needs itself.
class UnneededNodes {
 public:
  UnneededNodes(const Graph& graph, const GraphValues& values, Ranking& ranking)
      : values_(values), ranking_(ranking) {
    for (Index node = 0; node < graph.nodes.size(); ++node) {
      if (!ranking_.is_ranked(node)) nodes_.push_back(node);
    }
    contents_.resize(nodes_.empty() ? 0 : graph.nodes.size());
    colours_.resize(contents_.size());
    users_.resize(contents_.size());
    for (const Index node : nodes_) {
      Hash hash;
      add_node(hash, graph, graph.nodes[node], [](const ValueName&) { return std::string("_"); });
      contents_[node] = hash.value();
      for (const auto* use = values_.uses_begin(node); use != values_.uses_end(node); ++use) {
        const Index needed = values_.defining_node(use->value);
        if (needed != kNone && !ranking_.is_ranked(needed)) users_[needed].push_back({node, use});
      }
    }
  }

  void rank() {
    while (!nodes_.empty()) {
      refine();
      rank_some();
      nodes_.erase(
          std::remove_if(nodes_.begin(), nodes_.end(), [&](Index node) { return ranking_.is_ranked(node); }),
          nodes_.end());
    }
  }

 private:
  struct User {
    Index node;
    const GraphValues::Use* use;
  };

  /// What a node gets: ranks and colours of the nodes that give it, and which of their results.
  std::uint64_t colour_from_operands(Index node) const {
    Hash hash;
    hash.add(contents_[node]).add(colours_[node]);
    for (const auto* use = values_.uses_begin(node); use != values_.uses_end(node); ++use) {
      const Index needed = values_.defining_node(use->value);
      if (needed == kNone) {
        hash.add(0).add(use->value);
      } else {
        hash.add(1).add(ranking_.is_ranked(needed) ? ranking_.rank(needed) : colours_[needed]);
        hash.add(use->value - values_.outputs_begin(needed));
      }
    }
    return hash.value();
  }

  std::uint64_t colour_from_users(Index node) const {
    std::vector<std::uint64_t> users;
    for (const User& user : users_[node]) {
      Hash hash;
      hash.add(colours_[user.node]).add(static_cast<std::uint64_t>(user.use - values_.uses_begin(user.node)));
      users.push_back(hash.add(user.use->value - values_.outputs_begin(node)).value());
    }
    std::sort(users.begin(), users.end());
    Hash hash;
    hash.add(colours_[node]);
    for (const std::uint64_t user : users) hash.add(user);
    return hash.value();
  }

  std::size_t count_colours() const {
    std::vector<std::uint64_t> colours;
    for (const Index node : nodes_) colours.push_back(colours_[node]);
    std::sort(colours.begin(), colours.end());
    return static_cast<std::size_t>(std::unique(colours.begin(), colours.end()) - colours.begin());
  }

  /// Colours the nodes so that two have the same colour only if what they need and what needs them is alike,
  /// to any depth.
  void refine() {
    for (const Index node : nodes_) colours_[node] = 0;
    for (std::size_t before = 0, now = count_colours(); now > before; before = now, now = count_colours()) {
      // Nodes stand after what they need.
      for (const Index node : nodes_) colours_[node] = colour_from_operands(node);
      for (std::size_t i = nodes_.size(); i-- > 0;) colours_[nodes_[i]] = colour_from_users(nodes_[i]);
    }
    colour_by_component();
  }

  /// Nodes of rings of three and of five see the same whichever way they look: what differs is the whole. So
  /// each colour gets the colours of all nodes that hang together.
  void colour_by_component() {
    DisjointSets components(colours_.size());
    for (const Index node : nodes_) {
      for (const User& user : users_[node]) {
        if (!ranking_.is_ranked(user.node)) components.unite(node, user.node);
      }
    }
    std::vector<std::uint64_t> sums(colours_.size(), 0);  // in any order
    for (const Index node : nodes_) sums[components.find(node)] += Hash().add(colours_[node]).value();
    for (const Index node : nodes_) {
      colours_[node] = Hash().add(colours_[node]).add(sums[components.find(node)]).value();
    }
  }

  /// Ranks the nodes without users by colour, until one of several of a colour took something with it that
  /// others need too: that tells the rest of its colour apart.
  void rank_some() {
    std::vector<Index> ends;
    for (const Index node : nodes_) {
      if (users_[node].empty()) ends.push_back(node);
    }
    std::stable_sort(ends.begin(), ends.end(), [&](Index a, Index b) { return colours_[a] < colours_[b]; });
    for (std::size_t i = 0; i < ends.size(); ++i) {
      const std::size_t before = ranking_.order().size();
      ranking_.add(ends[i]);
      const bool is_last_of_colour = i + 1 == ends.size() || colours_[ends[i]] != colours_[ends[i + 1]];
      if (!is_last_of_colour && any_needed_since(before)) return;
    }
  }

  /// Whether a node without rank needs one that got its rank after the first `ranks`.
  bool any_needed_since(std::size_t ranks) const {
    return std::any_of(ranking_.order().begin() + static_cast<std::ptrdiff_t>(ranks), ranking_.order().end(),
                       [&](Index node) {
                         return std::any_of(users_[node].begin(), users_[node].end(),
                                            [&](const User& user) { return !ranking_.is_ranked(user.node); });
                       });
  }

  const GraphValues& values_;
  Ranking& ranking_;
  std::vector<Index> nodes_;              // without rank, as they stand
  std::vector<std::uint64_t> contents_;   // by node
  std::vector<std::uint64_t> colours_;    // by node
  std::vector<std::vector<User>> users_;  // by node
};

// ---- Memory: what must stay on its side of what ----

/// The values that may share memory.
DisjointSets values_by_memory(const Graph& graph, const GraphValues& values) {
  DisjointSets sets(values.size());
  for (Index node = 0; node < graph.nodes.size(); ++node) {
    for (const auto* use = values.uses_begin(node); use != values.uses_end(node); ++use) {
      if (!may_return_view_of(graph.nodes[node], use->input)) continue;
      for (auto output = values.outputs_begin(node); output < values.outputs_end(node); ++output) {
        sets.unite(output, use->value);
      }
    }
  }
  return sets;
}

/// Which nodes must come before which.
class Constraints {
 public:
  Constraints(const Graph& graph, const GraphValues& values)
      : followers_(graph.nodes.size()), waiting_for_(graph.nodes.size(), 0) {
    DisjointSets memory = values_by_memory(graph, values);
    std::vector<Access> accesses(values.size());
    Index last_effect = kNone;
    Access mode;
    for (Index node = 0; node < graph.nodes.size(); ++node) {
      const bool has_effect = has_effects(graph.nodes[node]);
      if (has_effect) add(std::exchange(last_effect, node), node);
      access(mode, node, is_barrier(graph.nodes[node]));
      for (const auto* use = values.uses_begin(node); use != values.uses_end(node); ++use) {
        add(values.defining_node(use->value), node);
        const bool writes = has_effect && writes_input(graph.nodes[node], use->input);
        access(accesses[memory.find(use->value)], node, writes);
      }
    }
  }

  /// The order that takes, of the nodes that may come next, the one with the least rank.
  std::vector<Index> order(const Ranking& ranking) {
    const std::vector<Index>& by_rank = ranking.order();
    std::priority_queue<Index, std::vector<Index>, std::greater<Index>> ready;  // ranks
    for (Index node = 0; node < waiting_for_.size(); ++node) {
      if (waiting_for_[node] == 0) ready.push(ranking.rank(node));
    }
    std::vector<Index> order;
    order.reserve(by_rank.size());
    while (!ready.empty()) {
      order.push_back(by_rank[ready.top()]);
      ready.pop();
      for (const Index follower : followers_[order.back()]) {
        if (--waiting_for_[follower] == 0) ready.push(ranking.rank(follower));
      }
    }
    return order;
  }

 private:
  /// Who has read and written some memory so far.
  struct Access {
    Index last_writer = kNone;
    std::vector<Index> readers;  // since then
  };

  void add(Index before, Index after) {
    if (before == kNone || before == after) return;
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
  std::vector<Index> waiting_for_;  // how many must come before
};

bool changes_memory(const Node& node) {
  if (!has_effects(node)) return false;
  bool writes = is_barrier(node);
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    for_each_slot(node.inputs[i].arg, [&](const std::string* name, ValueName::Table) {
      writes = writes || (name != nullptr && writes_input(node, i));
    });
  }
  return writes;
}

std::vector<Index> structural_order(const Graph& graph, const std::string& path) {
  const GraphValues values(graph, path);
  Ranking ranking(values, graph.nodes.size());
  for (Index node = 0; node < graph.nodes.size(); ++node) {
    if (has_effects(graph.nodes[node])) ranking.add(node);
  }
  for (const std::uint32_t output : values.graph_outputs()) {
    if (values.defining_node(output) != kNone) ranking.add(values.defining_node(output));
  }
  UnneededNodes(graph, values, ranking).rank();
  // Ranks alone keep nodes with effects in order, and all nodes after what they need.
  if (std::none_of(graph.nodes.begin(), graph.nodes.end(), changes_memory)) return ranking.order();
  return Constraints(graph, values).order(ranking);
}

}  // namespace

void order_nodes(Graph& graph, const std::string& path) {
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    for_each_subgraph(graph.nodes[i], [&](GraphArgument& subgraph) {
      std::string subgraph_path = path + ".nodes";
      schemagen::append_index(subgraph_path, i);
      schemagen::append_key(subgraph_path, subgraph.name);
      order_nodes(*subgraph.graph, subgraph_path);
    });
  }
  const std::vector<Index> order = structural_order(graph, path);
  std::vector<Node> ordered;
  ordered.reserve(order.size());
  for (const Index node : order) ordered.push_back(std::move(graph.nodes[node]));
  graph.nodes = std::move(ordered);
}

}  // namespace pt2
