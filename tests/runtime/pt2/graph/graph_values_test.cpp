#include "pt2/graph/graph_values.h"

#include <catch2/catch.hpp>

#include "runtime/pt2/program_builder.h"
#include "schemagen/value/error.h"

using pt2::GraphValues;

namespace {

std::vector<std::uint32_t> used_values(const GraphValues& values, std::uint32_t node) {
  std::vector<std::uint32_t> used;
  for (const auto* use = values.uses_begin(node); use != values.uses_end(node); ++use)
    used.push_back(use->value);
  return used;
}

}  // namespace

TEST_CASE("values are numbered as they are defined: inputs, then results") {
  const pt2::Graph graph =
      graph_of({"x", "y"},
               {call("f", {tensor("y"), number(1), tensor("x")}, {"a", "b"}), call("g", {tensor("b")}, {})},
               {"b", "x"});
  const GraphValues values(graph, "graph");
  CHECK(values.size() == 4);
  CHECK(used_values(values, 0) == std::vector<std::uint32_t>{1, 0});
  CHECK(values.uses_begin(0)[1].input == 2);
  CHECK(values.outputs_begin(0) == 2);
  CHECK(values.outputs_end(0) == 4);
  CHECK(used_values(values, 1) == std::vector<std::uint32_t>{3});
  CHECK(values.outputs_begin(1) == values.outputs_end(1));
  CHECK(values.defining_node(3) == 0);
  CHECK(values.defining_node(0) == GraphValues::kNone);
  CHECK(values.graph_outputs() == std::vector<std::uint32_t>{3, 0});
}

TEST_CASE("a name that nothing defines has a number, and no node") {
  const pt2::Graph graph = graph_of({}, {call("f", {tensor("free")}, {"a"})}, {"other"});
  const GraphValues values(graph, "graph");
  CHECK(values.size() == 3);
  CHECK(values.defining_node(used_values(values, 0)[0]) == GraphValues::kNone);
  CHECK(values.defining_node(values.graph_outputs()[0]) == GraphValues::kNone);
}

TEST_CASE("a value that is defined twice, or used before, is refused") {
  const auto message = [](const pt2::Graph& graph) -> std::string {
    try {
      GraphValues values(graph, "graph");
    } catch (const schemagen::DataError& error) {
      return error.what();
    }
    return "no error";
  };
  CHECK(message(graph_of({"x"}, {call("f", {}, {"x"})}, {})) ==
        "graph.nodes: the value 'x' is defined twice, or used before it is defined");
  CHECK(message(graph_of({}, {call("f", {tensor("a")}, {"a"})}, {})) ==
        "graph.nodes: the value 'a' is defined twice, or used before it is defined");
  CHECK(message(graph_of({"x", "x"}, {}, {})) ==
        "graph.inputs: the value 'x' is defined twice, or used before it is defined");
}
