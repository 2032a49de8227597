#include "pt2/edit/passes.h"

#include <catch2/catch.hpp>

#include "runtime/pt2/program_builder.h"
#include "schemagen/base/error.h"
#include "toolbox/pt2/edit/errors.h"

using pt2::Argument;
using pt2::ExportedProgram;
using pt2::Graph;

namespace {

pt2::Node with_names(pt2::Node node, const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i) node.inputs[i].name = names[i];
  return node;
}

pt2::Node sine(const std::string& value, const std::string& result) {
  return with_names(call("torch.ops.aten.sin.default", {tensor(value)}, {result}), {"self"});
}

Argument truth(bool value) {
  return Argument::of<Argument::as_bool>(value);
}

ExportedProgram conditional(Argument condition) {
  const Graph yes = graph_of({"x"}, {sine("x", "sin")}, {"sin"});
  const Graph no = graph_of({"x"}, {}, {"x"});
  Argument operands = Argument::of<Argument::as_tensors>();
  operands.get<Argument::as_tensors>().push_back({"x"});
  return program_of(
      graph_of({"x", "p"},
               {call("torch.ops.higher_order.cond",
                     {std::move(condition), subgraph("yes", yes), subgraph("no", no), operands}, {"cond"}),
                sine("cond", "sin")},
               {"cond", "sin"}));
}

}  // namespace

TEST_CASE("a cond whose condition is a literal becomes the nodes of the branch that is taken") {
  ExportedProgram program = conditional(truth(true));
  CHECK(pt2::inline_subgraphs(program) == 1);
  const Graph& graph = program.graph_module.graph;
  REQUIRE(graph.nodes.size() == 2);
  CHECK(graph.nodes[0] == sine("x", "cond"));
  CHECK(graph.nodes[1] == sine("cond", "sin"));
  CHECK(errors_of(program).empty());
}

TEST_CASE("where a subgraph passes its input on, that is used") {
  ExportedProgram program = conditional(truth(false));
  CHECK(pt2::inline_subgraphs(program) == 1);
  const Graph& graph = program.graph_module.graph;
  REQUIRE(graph.nodes.size() == 1);
  CHECK(graph.nodes[0] == sine("x", "sin"));
  CHECK(graph.outputs == std::vector<Argument>{tensor("x"), tensor("sin")});
  CHECK_FALSE(graph.tensor_values.contains("cond"));
  CHECK(errors_of(program).empty());
}

TEST_CASE("a cond that is decided when it runs stays") {
  ExportedProgram program = conditional(tensor("p"));
  const ExportedProgram original = program;
  CHECK(pt2::inline_subgraphs(program) == 0);
  CHECK(program == original);
}

TEST_CASE("what a subgraph defines gets a name that is free, in subgraphs of subgraphs, too") {
  const Graph inner = graph_of({"a"}, {sine("a", "x"), sine("x", "sin")}, {"sin"});
  const auto checkpoint = [](const std::string& value, const Graph& graph, const std::string& result) {
    return call("torch.ops.higher_order.wrap_with_set_grad_enabled",
                {truth(false), subgraph("body", graph), tensor(value)}, {result});
  };
  const Graph outer = graph_of({"b"}, {checkpoint("b", inner, "sin"), sine("sin", "x")}, {"x", "x"});
  pt2::Node node = checkpoint("x", outer, "y");
  node.outputs.push_back(tensor("z"));
  ExportedProgram program = program_of(graph_of({"x"}, {node, sine("z", "sin")}, {"y", "sin"}));
  CHECK(pt2::inline_subgraphs(program) == 2);
  const Graph& graph = program.graph_module.graph;
  REQUIRE(graph.nodes.size() == 4);
  CHECK(graph.nodes[0] == sine("x", "x_1"));
  CHECK(graph.nodes[1] == sine("x_1", "sin_1"));
  CHECK(graph.nodes[2] == sine("sin_1", "y"));
  CHECK(graph.nodes[3] == sine("y", "sin"));
  CHECK(graph.tensor_values.size() == 5);
  CHECK(errors_of(program).empty());
}
