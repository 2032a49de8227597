#include "pt2/canonical/refinement.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "runtime/test_seed.h"

using pt2::ColouredGraph;
using Vertex = ColouredGraph::Vertex;

namespace {

struct Parts {
  std::vector<std::string> colours;
  std::vector<std::tuple<Vertex, Vertex, std::string>> edges;
};

void add_ring(Parts& parts, Vertex length) {
  const auto first = static_cast<Vertex>(parts.colours.size());
  for (Vertex i = 0; i < length; ++i) {
    parts.colours.emplace_back();
    parts.edges.emplace_back(first + i, first + (i + 1) % length, "");
  }
}

/// What distinguishes orders: edges between positions, and colors.
using Picture =
    std::pair<std::vector<std::string>, std::multiset<std::tuple<std::size_t, std::size_t, std::string>>>;

Picture picture(const Parts& parts, const std::vector<Vertex>& numbers) {
  ColouredGraph graph;
  std::vector<std::string> colours(parts.colours.size());
  for (std::size_t i = 0; i < colours.size(); ++i) colours[numbers[i]] = parts.colours[i];
  for (const std::string& colour : colours) graph.add_vertex(colour);
  for (const auto& [from, to, label] : parts.edges) graph.add_edge(numbers[from], numbers[to], label);
  std::vector<std::size_t> places(colours.size());
  Picture picture;
  for (const Vertex vertex : graph.order()) {
    places[vertex] = picture.first.size();
    picture.first.push_back(colours[vertex]);
  }
  for (const auto& [from, to, label] : parts.edges) {
    picture.second.emplace(places[numbers[from]], places[numbers[to]], label);
  }
  return picture;
}

std::vector<Vertex> counted(std::size_t count) {
  std::vector<Vertex> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0u);
  return numbers;
}

void check_that_numbers_do_not_matter(const Parts& parts, std::mt19937_64& random) {
  std::vector<Vertex> numbers = counted(parts.colours.size());
  const Picture expected = picture(parts, numbers);
  for (int round = 0; round < 10; ++round) {
    std::shuffle(numbers.begin(), numbers.end(), random);
    CHECK(picture(parts, numbers) == expected);
  }
}

}  // namespace

TEST_CASE("vertices are ordered by color, then by neighbors, then by number") {
  ColouredGraph graph;
  for (const char* colour : {"b", "b", "a", "b", "b"}) graph.add_vertex(colour);
  graph.add_edge(0, 2, "y");
  graph.add_edge(1, 2, "x");
  CHECK(graph.order() == std::vector<Vertex>{2, 1, 0, 3, 4});
  CHECK(ColouredGraph().order().empty());
}

TEST_CASE("the order of rings of different lengths does not depend on the numbering of vertices") {
  std::mt19937_64 random(test_seed());
  for (const std::vector<Vertex>& lengths : {std::vector<Vertex>{5, 3}, {4, 4, 8}, {3, 7, 3, 5}}) {
    Parts rings;
    for (const Vertex length : lengths) add_ring(rings, length);
    check_that_numbers_do_not_matter(rings, random);
    // Also connected to one vertex of a unique color.
    const auto hub = static_cast<Vertex>(rings.colours.size());
    for (Vertex i = 0; i < hub; ++i) rings.edges.emplace_back(i, hub, "hub");
    rings.colours.emplace_back();
    check_that_numbers_do_not_matter(rings, random);
  }
}

TEST_CASE(
    "the order of random trees and of copies of them does not depend on how their vertices are numbered") {
  std::mt19937_64 random(test_seed());
  for (int round = 0; round < 50; ++round) {
    Parts forest;
    const auto size = static_cast<Vertex>(1 + random() % 12);
    std::vector<std::pair<Vertex, std::string>> tree;
    for (Vertex i = 1; i < size; ++i) tree.emplace_back(random() % i, std::string(random() % 2, 'l'));
    for (Vertex copy = 0; copy < 1 + random() % 3; ++copy) {
      const auto first = static_cast<Vertex>(forest.colours.size());
      for (Vertex i = 0; i < size; ++i) forest.colours.emplace_back(i % 5 == 4 ? "c" : "");
      for (Vertex i = 1; i < size; ++i) {
        forest.edges.emplace_back(first + i, first + tree[i - 1].first, tree[i - 1].second);
      }
    }
    check_that_numbers_do_not_matter(forest, random);
  }
}

TEST_CASE("labels, directions and numbers of edges distinguish vertices") {
  const auto order_of = [](auto add_edges) {
    ColouredGraph graph;
    for (int i = 0; i < 4; ++i) graph.add_vertex("");
    graph.add_vertex("target");
    add_edges(graph);
    return graph.order();
  };
  // Otherwise 0, 1, 2, 3: vertices 1 and 3 have what 0 and 2 lack.
  const std::vector<Vertex> by_number = {0, 1, 2, 3, 4};
  CHECK(order_of([](ColouredGraph& graph) {
          for (Vertex i = 0; i < 4; ++i) graph.add_edge(i, 4, "same");
        }) == by_number);
  CHECK(order_of([](ColouredGraph& graph) {
          for (Vertex i = 0; i < 4; ++i) graph.add_edge(i, 4, i % 2 == 0 ? "b" : "a");
        }) == std::vector<Vertex>{1, 3, 0, 2, 4});
  CHECK(order_of([](ColouredGraph& graph) {
          for (Vertex i = 0; i < 4; ++i) i % 2 == 0 ? graph.add_edge(i, 4, "") : graph.add_edge(4, i, "");
        }) != by_number);
  CHECK(order_of([](ColouredGraph& graph) {
          for (Vertex i = 0; i < 4; ++i) {
            graph.add_edge(i, 4, "");
            if (i % 2 == 0) graph.add_edge(i, 4, "");
          }
        }) != by_number);
}

TEST_CASE("ordering many vertices takes nearly linear time") {
  // A ring refines one pair at a time; restarting for each would take minutes.
  Parts ring;
  add_ring(ring, 100000);
  const Picture found = picture(ring, counted(ring.colours.size()));
  CHECK(found.first.size() == 100000);
}
