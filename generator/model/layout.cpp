#include "model/layout.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace generator {
namespace {

constexpr std::size_t kMaxCycles = 100;

using Graph = std::vector<std::vector<Containment>>;

struct Walk {
  std::vector<std::size_t> order;  // each type after those it contains
  std::vector<Cycle> cycles;
};

/// Iterative, because a schema may nest as deep as it has types.
Walk walk(const Graph& graph) {
  enum class State : std::uint8_t { unseen, on_path, done };
  struct Step {
    std::size_t type = 0;
    std::size_t next = 0;
  };
  std::vector<State> states(graph.size(), State::unseen);
  std::vector<Step> path;
  Walk result;
  const auto enter = [&](std::size_t type) {
    states[type] = State::on_path;
    path.push_back({type, 0});
  };
  const auto add_cycle = [&](std::size_t start) {
    if (result.cycles.size() == kMaxCycles) return;
    auto step = std::find_if(path.begin(), path.end(), [&](const Step& s) { return s.type == start; });
    Cycle& cycle = result.cycles.emplace_back();
    for (; step != path.end(); ++step) cycle.push_back(graph[step->type][step->next - 1]);
  };
  for (std::size_t root = 0; root < graph.size(); ++root) {
    if (states[root] == State::unseen) enter(root);
    while (!path.empty()) {
      Step& step = path.back();
      if (step.next == graph[step.type].size()) {
        states[step.type] = State::done;
        result.order.push_back(step.type);
        path.pop_back();
        continue;
      }
      const Containment& edge = graph[step.type][step.next++];
      if (states[edge.to] == State::unseen)
        enter(edge.to);
      else if (states[edge.to] == State::on_path)
        add_cycle(edge.to);
    }
  }
  return result;
}

template <typename Target>
Graph graph_of(const Model& model, Target target) {
  Graph graph(model.types.size());
  for (std::size_t from = 0; from < model.types.size(); ++from) {
    const std::vector<Field>& fields = model.types[from].fields;
    for (std::size_t field = 0; field < fields.size(); ++field) {
      if (const auto to = target(fields[field])) graph[from].push_back({from, field, *to});
    }
    std::stable_sort(graph[from].begin(), graph[from].end(),
                     [](const Containment& a, const Containment& b) { return a.to < b.to; });
  }
  return graph;
}

std::vector<std::vector<std::size_t>> users_of(const Graph& graph) {
  std::vector<std::vector<std::size_t>> users(graph.size());
  for (const auto& edges : graph) {
    for (const Containment& edge : edges) users[edge.to].push_back(edge.from);
  }
  return users;
}

/// How many required edges must lead to finite types before a type is known to be finite: all of a struct;
/// one of a union, or none if a member requires no type.
std::vector<std::size_t> edges_needed(const Model& model, const Graph& graph) {
  std::vector<std::size_t> needed(graph.size());
  for (std::size_t type = 0; type < graph.size(); ++type) {
    needed[type] = graph[type].size();
    if (!model.types[type].is_union()) continue;
    needed[type] = graph[type].size() == model.types[type].fields.size() ? 1 : 0;
    // An empty union is reported elsewhere.
    if (graph[type].empty()) needed[type] = 0;
  }
  return needed;
}

/// The least fixpoint, starting at types that require nothing.
std::vector<bool> finite_types(const Model& model, const Graph& graph) {
  const std::vector<std::vector<std::size_t>> users = users_of(graph);
  std::vector<std::size_t> needed = edges_needed(model, graph);
  std::vector<bool> finite(graph.size(), false);
  std::vector<std::size_t> found;
  const auto note_finite = [&](std::size_t type) {
    finite[type] = true;
    found.push_back(type);
  };
  for (std::size_t type = 0; type < graph.size(); ++type) {
    if (needed[type] == 0) note_finite(type);
  }
  while (!found.empty()) {
    const std::size_t type = found.back();
    found.pop_back();
    for (const std::size_t user : users[type]) {
      if (needed[user] > 0 && --needed[user] == 0) note_finite(user);
    }
  }
  return finite;
}

Graph graph_of_all(const Model& model) {
  return graph_of(model, [](const Field& field) { return named_in(field.type); });
}

/// C++ must build a default from values of other types.
bool has_built_defaults(const Model& model) {
  return std::any_of(model.types.begin(), model.types.end(), [](const Definition& type) {
    return std::any_of(type.fields.begin(), type.fields.end(), [](const Field& field) {
      return field.fallback && is_composed(*field.fallback) && named_in(field.type);
    });
  });
}

}  // namespace

std::optional<std::size_t> held_by_value(const Field& field) {
  if (field.boxed) return std::nullopt;
  const Type& type = without_optional(field.type);
  if (type.kind != Type::Kind::named) return std::nullopt;
  return type.named;
}

std::optional<std::size_t> required(const Field& field) {
  if (field.type.kind != Type::Kind::named || field.fallback) return std::nullopt;
  return field.type.named;
}

std::vector<Cycle> by_value_cycles(const Model& model) {
  return walk(graph_of(model, held_by_value)).cycles;
}

std::vector<Cycle> required_cycles(const Model& model) {
  Graph graph = graph_of(model, required);
  const std::vector<bool> finite = finite_types(model, graph);
  for (std::size_t type = 0; type < graph.size(); ++type) {
    std::vector<Containment>& edges = graph[type];
    const auto leads_out = [&](const Containment& edge) { return finite[type] || finite[edge.to]; };
    edges.erase(std::remove_if(edges.begin(), edges.end(), leads_out), edges.end());
    // A union needs only one finite member, so one cycle through it suffices for a report.
    if (model.types[type].is_union() && edges.size() > 1) edges.resize(1);
  }
  return walk(graph).cycles;
}

std::vector<std::vector<std::size_t>> recursive_groups(const Model& model) {
  const Graph graph = graph_of_all(model);
  const std::vector<std::vector<std::size_t>> users = users_of(graph);
  // Kosaraju's algorithm.
  const std::vector<std::size_t> order = walk(graph).order;
  std::vector<std::vector<std::size_t>> groups;
  std::vector<bool> seen(graph.size(), false);
  for (auto start = order.rbegin(); start != order.rend(); ++start) {
    std::vector<std::size_t> group;
    const auto enter = [&](std::size_t type) {
      if (!seen[type]) group.push_back(type);
      seen[type] = true;
    };
    enter(*start);
    for (std::size_t i = 0; i < group.size(); ++i) {
      for (const std::size_t user : users[group[i]]) enter(user);
    }
    if (!group.empty()) groups.push_back(std::move(group));
  }
  std::reverse(groups.begin(), groups.end());
  return groups;
}

std::vector<bool> recursive_types(const Model& model) {
  std::vector<bool> recursive(model.types.size(), false);
  for (const auto& edges : graph_of_all(model)) {
    for (const Containment& edge : edges) recursive[edge.from] = recursive[edge.from] || edge.to == edge.from;
  }
  for (const std::vector<std::size_t>& group : recursive_groups(model)) {
    for (const std::size_t type : group) recursive[type] = recursive[type] || group.size() > 1;
  }
  return recursive;
}

std::vector<std::size_t> layout(const Model& model) {
  Walk found = walk(graph_of(model, held_by_value));
  assert(found.cycles.empty());
  const auto first_other = std::stable_partition(
      found.order.begin(), found.order.end(), [&](std::size_t type) { return model.types[type].is_enum(); });
  std::sort(found.order.begin(), first_other);
  if (has_built_defaults(model)) {
    // A member's initializer needs the destructors of all types that the value can contain.
    std::vector<std::size_t> places(model.types.size());
    const std::vector<std::vector<std::size_t>> groups = recursive_groups(model);
    for (std::size_t place = 0; place < groups.size(); ++place) {
      for (const std::size_t type : groups[place]) places[type] = place;
    }
    std::stable_sort(first_other, found.order.end(),
                     [&](std::size_t a, std::size_t b) { return places[a] < places[b]; });
  }
  return std::move(found.order);
}

}  // namespace generator
