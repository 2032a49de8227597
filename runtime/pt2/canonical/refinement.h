// An order of a graph's vertices that depends only on its structure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pt2 {

/// A directed graph with coloured vertices and labelled edges. Colours and labels are any texts, compared as
/// such.
class ColouredGraph {
 public:
  using Vertex = std::uint32_t;

  /// The new vertex: 0, 1, ...
  Vertex add_vertex(std::string colour);
  void add_edge(Vertex from, Vertex to, std::string label);

  /// The vertices by colour; within a colour by where their edges lead, to any depth, then by the size of
  /// their connected component. Among those still alike, the one with the least number comes first, and that
  /// tells others apart in turn. So the order does not depend on the numbering as long as vertices that are
  /// alike so far are interchangeable, which in some regular graphs they are not.
  ///
  /// Time: O(e log^2 e) in the number of vertices and edges.
  /// Source: R. Paige and R. Tarjan, Three Partition Refinement Algorithms, 1987; B. McKay, Practical Graph
  /// Isomorphism, 1981, without its search.
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
