#include "pt2/graph/index.h"

#include <catch2/catch.hpp>

#include "runtime/pt2/program_builder.h"
#include "schemagen/base/error.h"

using pt2::GraphIndex;
using pt2::ProgramIndex;

namespace {

using Numbers = std::vector<std::uint32_t>;

Numbers used_values(const GraphIndex& index, std::uint32_t node) {
  Numbers used;
  for (const GraphIndex::Use& use : index.uses(node)) used.push_back(use.value);
  return used;
}

Numbers using_nodes(const GraphIndex& index, std::string_view name) {
  Numbers nodes;
  for (const GraphIndex::User& user : index.users(index.find(name))) nodes.push_back(user.node);
  return nodes;
}

template <class Call>
std::string message_of(const Call& call) {
  try {
    call();
  } catch (const schemagen::DataError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("values are numbered in order of definition") {
  const pt2::Graph graph =
      graph_of({"x", "y"},
               {call("f", {tensor("y"), number(1), tensor("x")}, {"a", "b"}), call("g", {tensor("b")}, {})},
               {"b", "x"});
  const GraphIndex index(graph);
  CHECK(index.size() == 4);
  CHECK(index.name(3) == "b");
  CHECK(used_values(index, 0) == Numbers{1, 0});
  CHECK(index.uses(0)[1].input == 2);
  CHECK(index.outputs_begin(0) == 2);
  CHECK(index.outputs_end(0) == 4);
  CHECK(used_values(index, 1) == Numbers{3});
  CHECK(index.outputs_begin(1) == index.outputs_end(1));
  CHECK(index.defining_node(3) == 0);
  CHECK(index.defining_node(0) == GraphIndex::kNone);
  CHECK(index.is_input(1));
  CHECK_FALSE(index.is_input(2));
  CHECK(index.graph_outputs() == Numbers{3, 0});
}

TEST_CASE("users of a value are in order, one per use, with the graph's outputs last") {
  const pt2::Graph graph = graph_of(
      {"x"},
      {call("f", {tensor("x"), number(0), tensor("x")}, {"a"}), call("g", {tensor("x"), tensor("a")}, {"b"})},
      {"b", "x"});
  const GraphIndex index(graph);
  CHECK(using_nodes(index, "x") == Numbers{0, 0, 1, GraphIndex::kNone});
  const auto users = index.users(index.find("x"));
  CHECK(users[1].input == 2);
  CHECK(users[3].input == 1);
  CHECK(using_nodes(index, "a") == Numbers{1});
  CHECK(using_nodes(index, "b") == Numbers{GraphIndex::kNone});
}

TEST_CASE("an undefined name has a number but no node") {
  const pt2::Graph graph = graph_of({}, {call("f", {tensor("free")}, {"a"})}, {"other"});
  const GraphIndex index(graph);
  CHECK(index.size() == 3);
  CHECK(index.defining_node(used_values(index, 0)[0]) == GraphIndex::kNone);
  CHECK_FALSE(index.is_defined(index.find("free")));
  CHECK(index.defining_node(index.graph_outputs()[0]) == GraphIndex::kNone);
  CHECK(index.find("nowhere") == GraphIndex::kNone);
}

TEST_CASE("a name that is defined twice refers to the first definition") {
  const pt2::Graph graph = graph_of({}, {call("f", {}, {"a"}), call("g", {}, {"a", "b"})}, {"a"});
  const GraphIndex index(graph);
  CHECK(index.size() == 3);
  CHECK(index.defining_node(index.find("a")) == 0);
  CHECK(index.is_repeated(1));
  CHECK_FALSE(index.is_repeated(0));
  CHECK(index.outputs_end(1) - index.outputs_begin(1) == 2);
}

TEST_CASE("require_order() rejects a value that is defined twice or used before its definition") {
  const auto message = [](const pt2::Graph& graph) {
    return message_of([&] { GraphIndex(graph).require_order("graph"); });
  };
  CHECK(message(graph_of({"x"}, {call("f", {}, {"x"})}, {})) ==
        "graph.nodes: the value 'x' is defined twice or used before its definition");
  CHECK(message(graph_of({}, {call("f", {tensor("a")}, {"a"})}, {})) ==
        "graph.nodes: the value 'a' is defined twice or used before its definition");
  CHECK(message(graph_of({"x", "x"}, {}, {})) ==
        "graph.inputs: the value 'x' is defined twice or used before its definition");
  CHECK(message(graph_of({"x"}, {call("f", {tensor("free")}, {"a"})}, {"a"})) == "no error");
}

TEST_CASE("topological_order() moves nodes after their operands and keeps the order otherwise") {
  const pt2::Graph graph = graph_of({"x"},
                                    {call("f", {tensor("b")}, {"a"}), call("g", {tensor("x")}, {"b"}),
                                     call("h", {}, {}), call("i", {tensor("a"), tensor("b")}, {})},
                                    {});
  CHECK(GraphIndex(graph).topological_order() == Numbers{1, 0, 2, 3});
  const pt2::Graph ring =
      graph_of({}, {call("f", {tensor("b")}, {"a"}), call("g", {tensor("a")}, {"b"})}, {});
  CHECK(message_of([&] { GraphIndex(ring).topological_order(); }) ==
        "nodes: cannot order 2 nodes because of a dependency cycle");
}

TEST_CASE("find_value() searches all tables") {
  pt2::Graph graph;
  graph.tensor_values["t"];
  graph.sym_bool_values["b"];
  graph.custom_obj_values["o"];
  CHECK(pt2::find_value(graph, "t").tensor == graph.tensor_values.find("t"));
  CHECK(pt2::find_value(graph, "b").sym_bool == graph.sym_bool_values.find("b"));
  CHECK(pt2::find_value(graph, "o").custom_object == graph.custom_obj_values.find("o"));
  CHECK(pt2::find_value(graph, "none").tensor == nullptr);
}

TEST_CASE("for_each_node() visits nodes of subgraphs before their holder") {
  const pt2::Graph inner = graph_of({}, {call("inner", {}, {})}, {});
  const pt2::Graph middle = graph_of({}, {call("middle", {subgraph("i", inner)}, {})}, {});
  const pt2::ExportedProgram program = program_of(graph_of(
      {}, {call("first", {}, {}), call("second", {subgraph("a", middle), subgraph("b", inner)}, {})}, {}));
  const ProgramIndex index(program);
  CHECK(index.scopes().size() == 4);
  CHECK(index.scopes()[2].parent == 1);
  CHECK(index.scopes()[3].argument->name == "b");
  std::vector<std::string> order;
  index.for_each_node([&](const ProgramIndex::Scope& scope, std::uint32_t node) {
    order.push_back(scope.index.graph().nodes[node].target);
  });
  CHECK(order == std::vector<std::string>{"first", "inner", "middle", "inner", "second"});
}

TEST_CASE("readers() finds nodes by a weight's name in the model") {
  pt2::ExportedProgram program =
      program_of(graph_of({"w", "x"},
                          {call("f", {tensor("x"), tensor("w"), tensor("w")}, {"a"}),
                           call("g", {tensor("a")}, {"b"}), call("h", {tensor("w")}, {"c"})},
                          {"w"}));
  auto& weight = program.graph_module.signature.input_specs[0].emplace<pt2::InputSpec::parameter>();
  weight.arg.name = "w";
  weight.parameter_name = "layer.weight";
  const ProgramIndex index(program);
  const auto readers = index.readers("layer.weight");
  REQUIRE(readers.size() == 2);
  CHECK(readers[0]->target == "f");
  CHECK(readers[1]->target == "h");
  CHECK(index.readers("none").empty());
}
