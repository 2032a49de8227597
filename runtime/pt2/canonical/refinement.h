#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace pt2 {

/// A directed graph. Colors and labels are arbitrary text.
class ColouredGraph {
 public:
  using Vertex = std::uint32_t;

  Vertex add_vertex(std::string colour);
  void set_colour(Vertex vertex, std::string colour) { colours_[vertex] = std::move(colour); }
  /// The vertex must have no edges.
  void remove_last_vertex() { colours_.pop_back(); }
  void add_edge(Vertex from, Vertex to, std::string label);

  /// Returns the vertices sorted by color, then by the structure that their edges lead to, and then by the
  /// size of their connected component. Among vertices that are still alike, the lowest number comes first,
  /// which in turn distinguishes others. The order therefore does not depend on the numbering if such
  /// vertices are interchangeable; in some regular graphs, they are not.
  ///
  /// Takes O(e log^2 e) time in the number of vertices and edges. Source: R. Paige and R. Tarjan, Three
  /// Partition Refinement Algorithms, 1987; B. McKay, Practical Graph Isomorphism, 1981, without its search.
  std::vector<Vertex> order() const;

 private:
  struct Edge {
    Vertex from;
    Vertex to;
    std::string label;
  };
  std::vector<std::string> colours_;
  std::vector<Edge> edges_;
};

}  // namespace pt2
