#include "pt2/canonical/refinement.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <numeric>
#include <queue>
#include <string_view>
#include <tuple>
#include <utility>

namespace pt2 {
namespace {

using Vertex = ColouredGraph::Vertex;
constexpr std::uint32_t kNoVertex = 0xffffffff;

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

struct Neighbour {
  Vertex vertex = 0;
  std::uint32_t label = 0;
  bool is_to = false;

  friend bool operator<(const Neighbour& a, const Neighbour& b) {
    return std::tie(a.vertex, a.label, a.is_to) < std::tie(b.vertex, b.label, b.is_to);
  }
};

using Adjacency = std::vector<std::vector<Neighbour>>;  // by vertex

/// A cell lists its vertices by number. It is identified by the number of vertices up to its end, which stays
/// the same when parts are split off its front.
class Partition {
 public:
  using Cell = std::uint32_t;

  explicit Partition(const std::vector<std::uint32_t>& colours)
      : cells_(colours.size() + 1),
        cell_of_(colours.size()),
        before_(colours.size()),
        after_(colours.size()) {
    std::vector<Vertex> vertices(colours.size());
    std::iota(vertices.begin(), vertices.end(), 0u);
    std::stable_sort(vertices.begin(), vertices.end(),
                     [&](Vertex a, Vertex b) { return colours[a] < colours[b]; });
    for (std::size_t i = 0, end = 0; i < vertices.size(); i = end) {
      while (end < vertices.size() && colours[vertices[end]] == colours[vertices[i]]) ++end;
      fill(static_cast<Cell>(end), &vertices[i], end - i);
    }
  }

  Cell cell_of(Vertex vertex) const { return cell_of_[vertex]; }
  std::uint32_t size(Cell cell) const { return cells_[cell].size; }
  bool is_alone(Vertex vertex) const { return size(cell_of(vertex)) == 1; }
  Vertex first_of(Cell cell) const { return cells_[cell].first; }
  Vertex next(Vertex vertex) const { return after_[vertex]; }

  Cell split_off(Cell cell, const Vertex* vertices, std::size_t count) {
    const Cell split = cell - size(cell) + static_cast<Cell>(count);
    for (std::size_t i = 0; i < count; ++i) take_out(cell, vertices[i]);
    fill(split, vertices, count);
    return split;
  }

 private:
  struct Contents {
    Vertex first = kNoVertex;
    std::uint32_t size = 0;
  };

  void fill(Cell cell, const Vertex* vertices, std::size_t count) {
    cells_[cell] = {vertices[0], static_cast<std::uint32_t>(count)};
    for (std::size_t i = 0; i < count; ++i) {
      cell_of_[vertices[i]] = cell;
      before_[vertices[i]] = i == 0 ? kNoVertex : vertices[i - 1];
      after_[vertices[i]] = i + 1 == count ? kNoVertex : vertices[i + 1];
    }
  }

  void take_out(Cell cell, Vertex vertex) {
    --cells_[cell].size;
    (before_[vertex] == kNoVertex ? cells_[cell].first : after_[before_[vertex]]) = after_[vertex];
    if (after_[vertex] != kNoVertex) before_[after_[vertex]] = before_[vertex];
  }

  std::vector<Contents> cells_;
  std::vector<Cell> cell_of_;
  std::vector<Vertex> before_;
  std::vector<Vertex> after_;
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
        single_out(partition_.first_of(cell));
      }
    }
    std::vector<Vertex> order(count_);
    for (Vertex vertex = 0; vertex < count_; ++vertex) order[partition_.cell_of(vertex) - 1] = vertex;
    return order;
  }

 private:
  /// Components are processed again after each vertex that is singled out.
  static constexpr std::size_t kStepsPerEdge = 100;

  /// Distinguish a vertex from others of its cell. A vertex may have several.
  struct Mark {
    Cell cell = 0;
    Neighbour what;

    friend bool operator<(const Mark& a, const Mark& b) {
      return std::tie(a.cell, a.what) < std::tie(b.cell, b.what);
    }
  };

  struct Marked {
    const Mark* first;
    const Mark* last;

    Vertex vertex() const { return first->what.vertex; }
    int compare(const Marked& other) const {
      if (last - first != other.last - other.first) return last - first < other.last - other.first ? -1 : 1;
      for (const Mark *a = first, *b = other.first; a != last; ++a, ++b) {
        const auto kind = std::tie(a->what.label, a->what.is_to);
        const auto other_kind = std::tie(b->what.label, b->what.is_to);
        if (kind != other_kind) return kind < other_kind ? -1 : 1;
      }
      return 0;
    }
  };

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
      marks_.clear();
      for (Vertex vertex = partition_.first_of(cell); vertex != kNoVertex; vertex = partition_.next(vertex)) {
        for (const Neighbour& seen : adjacency_[vertex]) {
          if (!partition_.is_alone(seen.vertex)) marks_.push_back({partition_.cell_of(seen.vertex), seen});
        }
      }
      split_by_marks();
    }
  }

  void split_by_marks() {
    std::sort(marks_.begin(), marks_.end());
    std::vector<Marked> marked;
    for (const Mark *at = marks_.data(), *end = at + marks_.size(); at != end;) {
      const Cell cell = at->cell;
      marked.clear();
      while (at != end && at->cell == cell) {
        const Mark* const first = at;
        while (at != end && at->what.vertex == first->what.vertex) ++at;
        marked.push_back({first, at});
      }
      split(cell, marked);
    }
  }

  /// Vertices with equal marks stay together. If all are marked, those with the greatest mark stay.
  void split(Cell cell, std::vector<Marked>& marked) {
    std::stable_sort(marked.begin(), marked.end(),
                     [](const Marked& a, const Marked& b) { return a.compare(b) < 0; });
    std::vector<Cell> parts;
    std::vector<Vertex> vertices;
    for (std::size_t i = 0, end = 0; i < marked.size(); i = end) {
      vertices.clear();
      for (; end < marked.size() && marked[end].compare(marked[i]) == 0; ++end) {
        vertices.push_back(marked[end].vertex());
      }
      if (vertices.size() == partition_.size(cell)) break;
      parts.push_back(partition_.split_off(cell, vertices.data(), vertices.size()));
      if (vertices.size() > 1) unsettled_.push(parts.back());
    }
    if (!parts.empty()) add_splitters(cell, std::move(parts));
  }

  /// If the cell has already been a splitter, the largest part can be left out: the others imply it.
  void add_splitters(Cell rest, std::vector<Cell> parts) {
    parts.push_back(rest);
    Cell left_out = kNoVertex;
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
    marks_.clear();
    for (const Vertex start : vertices) {
      if (is_seen_[start] || partition_.is_alone(start)) continue;
      const std::vector<Vertex> found = component(start);
      for (const Vertex vertex : found) {
        marks_.push_back(
            {partition_.cell_of(vertex), {vertex, static_cast<std::uint32_t>(found.size()), false}});
      }
    }
    for (const Vertex vertex : vertices) is_seen_[vertex] = false;
    split_by_marks();
    refine();
  }

  void single_out(Vertex vertex) {
    std::vector<Vertex> around;
    if (steps_left_ > 0) around = component(vertex);
    for (const Vertex seen : around) is_seen_[seen] = false;
    const Cell cell = partition_.cell_of(vertex);
    add_splitters(cell, {partition_.split_off(cell, &vertex, 1)});
    refine();
    split_by_component(around);
  }

  std::size_t count_;
  const Adjacency& adjacency_;
  Partition partition_;
  std::vector<bool> is_waiting_;
  std::queue<Cell> splitters_;
  std::priority_queue<Cell, std::vector<Cell>, std::greater<Cell>> unsettled_;
  std::vector<Mark> marks_;
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
    adjacency[edges_[i].from].push_back({edges_[i].to, labels[i], true});
    adjacency[edges_[i].to].push_back({edges_[i].from, labels[i], false});
  }
  return Refinement(colours, adjacency, edges_.size()).order();
}

}  // namespace pt2
