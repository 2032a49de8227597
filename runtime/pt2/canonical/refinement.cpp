#include "pt2/canonical/refinement.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <numeric>
#include <queue>
#include <set>
#include <string_view>

namespace pt2 {
namespace {

using Vertex = ColouredGraph::Vertex;

/// Numbers the items by the order of their texts.
template <class Item, class TextOf>
std::vector<std::uint32_t> numbered(const std::vector<Item>& items, const TextOf& text_of) {
  std::map<std::string_view, std::uint32_t> numbers;
  for (const Item& item : items) numbers.emplace(text_of(item), 0);
  std::uint32_t count = 0;
  for (auto& [text, number] : numbers) number = count++;
  std::vector<std::uint32_t> result;
  result.reserve(items.size());
  for (const Item& item : items) result.push_back(numbers.at(text_of(item)));
  return result;
}

/// Distinguishes a vertex: the label of an edge, and whether it leads to the vertex.
using Mark = std::pair<std::uint32_t, bool>;

struct Neighbour {
  Vertex vertex;
  Mark mark;
};

using Adjacency = std::vector<std::vector<Neighbour>>;  // by vertex

/// A cell is identified by the number of vertices up to its end, which stays the same when parts are split
/// off its front.
class Partition {
 public:
  using Cell = std::uint32_t;

  explicit Partition(const std::vector<std::uint32_t>& colours)
      : cells_(colours.size() + 1), cell_of_(colours.size()) {
    std::map<std::uint32_t, std::set<Vertex>> by_colour;
    for (Vertex vertex = 0; vertex < colours.size(); ++vertex) by_colour[colours[vertex]].insert(vertex);
    Cell end = 0;
    for (auto& [colour, vertices] : by_colour) {
      end += static_cast<Cell>(vertices.size());
      fill(end, std::move(vertices));
    }
  }

  Cell cell_of(Vertex vertex) const { return cell_of_[vertex]; }
  const std::set<Vertex>& vertices(Cell cell) const { return cells_[cell]; }
  std::size_t size(Cell cell) const { return cells_[cell].size(); }
  bool is_alone(Vertex vertex) const { return size(cell_of(vertex)) == 1; }

  Cell split_off(Cell cell, const std::vector<Vertex>& vertices) {
    const auto split = static_cast<Cell>(cell - size(cell) + vertices.size());
    for (const Vertex vertex : vertices) cells_[cell].erase(vertex);
    fill(split, {vertices.begin(), vertices.end()});
    return split;
  }

 private:
  void fill(Cell cell, std::set<Vertex> vertices) {
    for (const Vertex vertex : vertices) cell_of_[vertex] = cell;
    cells_[cell] = std::move(vertices);
  }

  std::vector<std::set<Vertex>> cells_;
  std::vector<Cell> cell_of_;
};

class Refinement {
 public:
  using Cell = Partition::Cell;

  Refinement(const std::vector<std::uint32_t>& colours, const Adjacency& adjacency, std::size_t edges)
      : count_(colours.size()),
        adjacency_(adjacency),
        partition_(colours),
        is_waiting_(colours.size() + 1, false),
        is_seen_(colours.size(), false),
        steps_left_(kStepsPerEdge * (colours.size() + edges)) {
    for (Cell cell = 1; cell <= count_; ++cell) {
      if (partition_.size(cell) > 0) add_splitter(cell);
      if (partition_.size(cell) > 1) unsettled_.push(cell);
    }
  }

  std::vector<Vertex> order() {
    refine();
    std::vector<Vertex> all(count_);
    std::iota(all.begin(), all.end(), 0u);
    split_by_component(all);
    while (!unsettled_.empty()) {
      const Cell cell = unsettled_.top();
      if (partition_.size(cell) < 2) {
        unsettled_.pop();
      } else {
        single_out(*partition_.vertices(cell).begin());
      }
    }
    std::vector<Vertex> order(count_);
    for (Vertex vertex = 0; vertex < count_; ++vertex) order[partition_.cell_of(vertex) - 1] = vertex;
    return order;
  }

 private:
  /// Components are processed again after each vertex that is singled out.
  static constexpr std::size_t kStepsPerEdge = 100;

  using Marks = std::map<Cell, std::map<Vertex, std::vector<Mark>>>;

  void add_splitter(Cell cell) {
    if (is_waiting_[cell]) return;
    is_waiting_[cell] = true;
    splitters_.push(cell);
  }

  void refine() {
    while (!splitters_.empty()) {
      const Cell cell = splitters_.front();
      splitters_.pop();
      is_waiting_[cell] = false;
      Marks marks;
      for (const Vertex vertex : partition_.vertices(cell)) {
        for (const auto& [seen, mark] : adjacency_[vertex]) {
          if (!partition_.is_alone(seen)) marks[partition_.cell_of(seen)][seen].push_back(mark);
        }
      }
      split_by(marks);
    }
  }

  /// Vertices with equal marks stay together. If all are marked, those with the most and greatest stay.
  void split_by(Marks& marks) {
    for (auto& [cell, marked] : marks) {
      std::map<std::pair<std::size_t, std::vector<Mark>>, std::vector<Vertex>> groups;
      for (auto& [vertex, own] : marked) {
        std::sort(own.begin(), own.end());
        groups[{own.size(), std::move(own)}].push_back(vertex);
      }
      std::vector<Cell> parts;
      for (const auto& [own, vertices] : groups) {
        if (vertices.size() == partition_.size(cell)) break;
        parts.push_back(partition_.split_off(cell, vertices));
        if (vertices.size() > 1) unsettled_.push(parts.back());
      }
      if (!parts.empty()) add_splitters(cell, std::move(parts));
    }
  }

  /// If the cell has already been a splitter, the largest part can be left out: the others imply it.
  void add_splitters(Cell rest, std::vector<Cell> parts) {
    parts.push_back(rest);
    Cell left_out = 0;  // no cell
    if (!is_waiting_[rest]) {
      left_out = *std::max_element(parts.begin(), parts.end(),
                                   [&](Cell a, Cell b) { return partition_.size(a) < partition_.size(b); });
    }
    for (const Cell part : parts) {
      if (part != left_out) add_splitter(part);
    }
  }

  /// Vertices that are alone in their cells do not connect. Sets is_seen_.
  std::vector<Vertex> component(Vertex start) {
    std::vector<Vertex> found = {start};
    is_seen_[start] = true;
    for (std::size_t i = 0; i < found.size(); ++i) {
      for (const Neighbour& seen : adjacency_[found[i]]) {
        if (steps_left_ > 0) --steps_left_;
        if (is_seen_[seen.vertex] || partition_.is_alone(seen.vertex)) continue;
        is_seen_[seen.vertex] = true;
        found.push_back(seen.vertex);
      }
    }
    return found;
  }

  /// Refinement does not distinguish rings of 3 and 5. `vertices` are whole components.
  void split_by_component(const std::vector<Vertex>& vertices) {
    Marks marks;
    for (const Vertex start : vertices) {
      if (is_seen_[start] || partition_.is_alone(start)) continue;
      const std::vector<Vertex> found = component(start);
      for (const Vertex vertex : found) {
        marks[partition_.cell_of(vertex)][vertex].emplace_back(static_cast<std::uint32_t>(found.size()),
                                                               false);
      }
    }
    for (const Vertex vertex : vertices) is_seen_[vertex] = false;
    split_by(marks);
    refine();
  }

  void single_out(Vertex vertex) {
    std::vector<Vertex> around;
    if (steps_left_ > 0) around = component(vertex);
    for (const Vertex seen : around) is_seen_[seen] = false;
    const Cell cell = partition_.cell_of(vertex);
    add_splitters(cell, {partition_.split_off(cell, {vertex})});
    refine();
    split_by_component(around);
  }

  std::size_t count_;
  const Adjacency& adjacency_;
  Partition partition_;
  std::vector<bool> is_waiting_;
  std::queue<Cell> splitters_;
  std::priority_queue<Cell, std::vector<Cell>, std::greater<Cell>> unsettled_;
  std::vector<bool> is_seen_;
  std::size_t steps_left_;
};

}  // namespace

ColouredGraph::Vertex ColouredGraph::add_vertex(std::string colour) {
  colours_.push_back(std::move(colour));
  return static_cast<Vertex>(colours_.size() - 1);
}

void ColouredGraph::add_edge(Vertex from, Vertex to, std::string label) {
  edges_.push_back({from, to, std::move(label)});
}

std::vector<ColouredGraph::Vertex> ColouredGraph::order() const {
  const std::vector<std::uint32_t> colours =
      numbered(colours_, [](const std::string& colour) -> std::string_view { return colour; });
  const std::vector<std::uint32_t> labels =
      numbered(edges_, [](const Edge& edge) -> std::string_view { return edge.label; });
  Adjacency adjacency(colours.size());
  for (std::size_t i = 0; i < edges_.size(); ++i) {
    adjacency[edges_[i].from].push_back({edges_[i].to, {labels[i], true}});
    adjacency[edges_[i].to].push_back({edges_[i].from, {labels[i], false}});
  }
  return Refinement(colours, adjacency, edges_.size()).order();
}

}  // namespace pt2
