#include "pt2/edit/passes.h"

#include <catch2/catch.hpp>

#include "runtime/pt2/program_builder.h"
#include "toolbox/pt2/edit/errors.h"
#include "toolbox/pt2/edit/fixtures.h"

using pt2::Argument;
using pt2::ExportedProgram;

namespace {

std::vector<std::string> targets(const pt2::Graph& graph) {
  std::vector<std::string> names;
  for (const pt2::Node& node : graph.nodes)
    names.push_back(node.target.substr(node.target.find_last_of("./") + 1));
  return names;
}

}  // namespace

TEST_CASE("nodes that no output needs go, with their values; those with effects stay, with what they need") {
  ExportedProgram program =
      program_of(graph_of({"x"},
                          {call("torch.ops.aten.sin.default", {tensor("x")}, {"a"}),
                           call("torch.ops.aten.cos.default", {tensor("a")}, {"b"}),
                           call("torch.ops.aten.exp.default", {tensor("x")}, {"c"}),
                           call("torch.ops.aten.add_.Tensor", {tensor("c"), number(1)}, {"d"}),
                           call("torch.ops.my.unknown.default", {tensor("x")}, {"e"}),
                           call("torch.ops.aten.tanh.default", {tensor("x")}, {"f"})},
                          {"f"}));
  CHECK(pt2::drop_dead_nodes(program) == 2);
  const pt2::Graph& graph = program.graph_module.graph;
  REQUIRE(graph.nodes.size() == 4);
  CHECK(graph.nodes[0].target == "torch.ops.aten.exp.default");
  CHECK(graph.nodes[1].target == "torch.ops.aten.add_.Tensor");
  CHECK(graph.tensor_values.size() == 5);
  CHECK_FALSE(graph.tensor_values.contains("a"));
}

TEST_CASE("dead nodes go from subgraphs, and with them the node that has no effects without them") {
  pt2::Graph body = graph_of({"x"}, {call("torch.ops.aten.sin.default", {tensor("x")}, {"dead"})}, {"x"});
  ExportedProgram program = program_of(
      graph_of({"x"},
               {call("torch.ops.higher_order.wrap", {subgraph("body", body), tensor("x")}, {"a"}),
                call("torch.ops.higher_order.wrap", {subgraph("body_1", body), tensor("x")}, {"b"})},
               {"b"}));
  CHECK(pt2::drop_dead_nodes(program) == 3);
  REQUIRE(program.graph_module.graph.nodes.size() == 1);
  const Argument& kept = program.graph_module.graph.nodes[0].inputs[0].arg;
  CHECK(kept.get<Argument::as_graph>().graph->nodes.empty());
}

TEST_CASE("what gives an unbacked symbol its value stays where another value has the symbol") {
  pt2::Graph graph = graph_of({"x"},
                              {call("torch.ops.aten.nonzero.default", {tensor("x")}, {"a"}),
                               call("torch.ops.aten.sin.default", {tensor("x")}, {"b"})},
                              {"b"});
  for (const char* const name : {"a", "b"}) {
    graph.tensor_values.at(name).sizes = {symbolic("Symbol('u0', integer=True)")};
  }
  ExportedProgram program = program_of(graph);
  CHECK(pt2::drop_dead_nodes(program) == 0);
  program.graph_module.graph.tensor_values.at("b").sizes.clear();
  CHECK(pt2::drop_dead_nodes(program) == 1);
}

TEST_CASE("what a module's signature names stays") {
  ExportedProgram program =
      program_of(graph_of({"x"}, {call("torch.ops.aten.sin.default", {tensor("x")}, {"a"})}, {"x"}));
  pt2::ModuleCallEntry& module = program.graph_module.module_call_graph.emplace_back();
  module.fqn = "layer";
  module.signature.emplace().outputs.push_back(tensor("a"));
  CHECK(pt2::drop_dead_nodes(program) == 0);
  module.signature->outputs.clear();
  CHECK(pt2::drop_dead_nodes(program) == 1);
}

TEST_CASE("an item of a list that is written item by item is used itself") {
  Argument list = Argument::of<Argument::as_tensors>();
  for (const char* const name : {"x", "y"}) list.get<Argument::as_tensors>().push_back({name});
  const auto getitem = [&](const Argument& from, std::int64_t at, const char* result) {
    return call("_operator.getitem", {from, number(at)}, {result});
  };
  ExportedProgram program =
      program_of(graph_of({"x", "y"},
                          {getitem(list, 1, "a"), getitem(list, -2, "b"), getitem(list, 2, "c"),
                           call("torch.ops.aten.add.Tensor", {tensor("a"), tensor("b")}, {"d"})},
                          {"d", "a", "c"}));
  CHECK(pt2::fold_getitems(program) == 2);
  const pt2::Graph& graph = program.graph_module.graph;
  CHECK(targets(graph) == std::vector<std::string>{"getitem", "Tensor"});
  CHECK(graph.nodes[1].inputs[0].arg == tensor("y"));
  CHECK(graph.nodes[1].inputs[1].arg == tensor("x"));
  CHECK(graph.outputs[1] == tensor("y"));
  CHECK(graph.tensor_values.size() == 4);
}
