#include "pt2/graph/walk.h"

#include <catch2/catch.hpp>

#include "runtime/pt2/program_builder.h"

using pt2::Argument;
using pt2::Graph;

namespace {

using Names = std::vector<std::string>;

pt2::Node branch(Graph beside, Graph in_dict) {
  return call("f", {subgraph("a", std::move(beside)), dict("k", subgraph("b", std::move(in_dict)))}, {});
}

}  // namespace

TEST_CASE("subgraphs are found in arguments and in dicts") {
  Names names;
  const pt2::Node node = branch({}, {});
  pt2::for_each_subgraph(node, [&](const pt2::GraphArgument& found) { names.push_back(found.name); });
  CHECK(names == Names{"a", "b"});
}

TEST_CASE("for_each_graph() visits each graph before its subgraphs and can change them") {
  Graph top = graph_of({}, {branch(graph_of({}, {branch({}, {})}, {}), {}), branch({}, {})}, {});
  std::size_t count = 0;
  pt2::for_each_graph(top, [&](Graph& graph) { graph.inputs.push_back(number(std::int64_t(count++))); });
  std::vector<std::int64_t> order;
  const Graph& walked = top;
  pt2::for_each_graph(
      walked, [&](const Graph& graph) { order.push_back(graph.inputs.at(0).get<Argument::as_int>()); });
  CHECK(order == std::vector<std::int64_t>{0, 1, 2, 3, 4, 5, 6});
}

TEST_CASE("for_each_table() visits each table with its kind") {
  Graph graph;
  graph.tensor_values["t"];
  graph.sym_int_values["i"];
  graph.sym_bool_values["b"];
  graph.sym_float_values["f"];
  graph.custom_obj_values["o"];
  std::vector<std::pair<std::string, pt2::ValueName::Table>> found;
  pt2::for_each_table(graph, [&](auto& map, pt2::ValueName::Table table) {
    for (const auto& [name, value] : map) found.emplace_back(name, table);
  });
  using Table = pt2::ValueName::Table;
  CHECK(found == decltype(found){{"t", Table::tensors},
                                 {"i", Table::sym_ints},
                                 {"b", Table::sym_bools},
                                 {"f", Table::sym_floats},
                                 {"o", Table::custom_objects}});
}
