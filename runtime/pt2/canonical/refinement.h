#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pt2 {

/// Directed. Colors and labels are arbitrary text.
class ColouredGraph {
 public:
  using Vertex = std::uint32_t;

  Vertex add_vertex(std::string colour);
  void add_edge(Vertex from, Vertex to, std::string label);

  /// By color, then by the structure their edges lead to, then by the size of their connected component. Of
  /// vertices still alike, the lowest number comes first, which distinguishes others in turn. So the order
  /// does not depend on the numbering if such vertices are interchangeable; in some regular graphs they are
  /// not.
  ///
  /// Time: O(e log^2 e) in the number of vertices and edges. Source: R. Paige and R. Tarjan, Three Partition
  /// Refinement Algorithms, 1987; B. McKay, Practical Graph Isomorphism, 1981, without its search.
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
