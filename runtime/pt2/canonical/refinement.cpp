#include "pt2/canonical/refinement.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <queue>
#include <tuple>
#include <utility>

namespace pt2 {
namespace {

using Vertex = ColouredGraph::Vertex;
constexpr std::uint32_t kNoVertex = 0xffffffff;

std::vector<std::uint32_t> numbered(const std::vector<const std::string*>& texts) {
  std::vector<const std::string*> sorted = texts;
  const auto is_less = [](const std::string* a, const std::string* b) { return *a < *b; };
  std::sort(sorted.begin(), sorted.end(), is_less);
  const auto is_same = [](const std::string* a, const std::string* b) { return *a == *b; };
  sorted.erase(std::unique(sorted.begin(), sorted.end(), is_same), sorted.end());
  std::vector<std::uint32_t> numbers;
  numbers.reserve(texts.size());
  for (const std::string* text : texts) {
    const auto found = std::lower_bound(sorted.begin(), sorted.end(), text, is_less);
    numbers.push_back(static_cast<std::uint32_t>(found - sorted.begin()));
  }
  return numbers;
}

struct LabelledEdge {
  Vertex from = 0;
  Vertex to = 0;
  std::uint32_t label = 0;
};

struct Neighbour {
  Vertex vertex = 0;
  std::uint32_t label = 0;
  bool is_to = false;

  friend bool operator<(const Neighbour& a, const Neighbour& b) {
    return std::tie(a.vertex, a.label, a.is_to) < std::tie(b.vertex, b.label, b.is_to);
  }
};

class Adjacency {
 public:
  Adjacency(std::size_t vertices, const std::vector<LabelledEdge>& edges)
      : first_(vertices + 1, 0), neighbours_(2 * edges.size()) {
    for (const LabelledEdge& edge : edges) {
      ++first_[edge.from + 1];
      ++first_[edge.to + 1];
    }
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    for (const LabelledEdge& edge : edges) {
      neighbours_[next[edge.from]++] = {edge.to, edge.label, true};
      neighbours_[next[edge.to]++] = {edge.from, edge.label, false};
    }
  }

  const Neighbour* begin(Vertex vertex) const { return neighbours_.data() + first_[vertex]; }
  const Neighbour* end(Vertex vertex) const { return neighbours_.data() + first_[vertex + 1]; }

 private:
  std::vector<std::size_t> first_;
  std::vector<Neighbour> neighbours_;
};

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

  Refinement(const std::vector<std::uint32_t>& colours, const std::vector<LabelledEdge>& edges)
      : count_(colours.size()),
        adjacency_(colours.size(), edges),
        partition_(colours),
        is_waiting_(colours.size() + 1, false),
        is_seen_(colours.size(), false),
        steps_left_(kStepsPerEdge * (colours.size() + edges.size())) {
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
        for (const auto* seen = adjacency_.begin(vertex); seen != adjacency_.end(vertex); ++seen) {
          if (!partition_.is_alone(seen->vertex)) marks_.push_back({partition_.cell_of(seen->vertex), *seen});
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
      for (const auto* seen = adjacency_.begin(found[i]); seen != adjacency_.end(found[i]); ++seen) {
        if (steps_left_ > 0) --steps_left_;
        if (is_seen_[seen->vertex] || partition_.is_alone(seen->vertex)) continue;
        is_seen_[seen->vertex] = true;
        found.push_back(seen->vertex);
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
  Adjacency adjacency_;
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
  std::vector<const std::string*> texts;
  for (const std::string& colour : colours_) texts.push_back(&colour);
  const std::vector<std::uint32_t> colours = numbered(texts);
  texts.clear();
  for (const Edge& edge : edges_) texts.push_back(&edge.label);
  const std::vector<std::uint32_t> labels = numbered(texts);
  std::vector<LabelledEdge> edges;
  for (std::size_t i = 0; i < edges_.size(); ++i) edges.push_back({edges_[i].from, edges_[i].to, labels[i]});
  return Refinement(colours, edges).order();
}

}  // namespace pt2
