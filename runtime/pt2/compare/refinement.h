// An order of a graph's vertices that depends on nothing but what hangs together with what.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace pt2 {

/// A graph of vertices that have nothing but a colour, and edges that both ends see. Colours and labels are
/// any texts, and compared as such.
class ColouredGraph {
 public:
  using Vertex = std::uint32_t;

  /// The new vertex: 0, 1, ...
  Vertex add_vertex(std::string colour);
  void add_edge(Vertex from, Vertex to, std::string label);

  /// The vertices in the order of their colours; those of one colour by what their edges lead to, to any
  /// depth, then by the size of what they hang together with. Of those that are still alike the one with the
  /// least number comes first, which tells others apart in turn. So the order does not depend on the numbers,
  /// if vertices that are alike so far are interchangeable; in some regular graphs they are not.
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
