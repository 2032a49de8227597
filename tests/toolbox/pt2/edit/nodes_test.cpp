#include "pt2/edit/graph.h"

#include <catch2/catch.hpp>

#include "pt2/graph/index.h"
#include "runtime/pt2/program_builder.h"
#include "schemagen/base/error.h"
#include "toolbox/pt2/edit/errors.h"
#include "toolbox/pt2/edit/fixtures.h"

using pt2::Argument;
using pt2::ExportedProgram;
using pt2::Graph;

namespace {

ExportedProgram mlp() {
  return fixture("mlp.json");
}

std::uint32_t node_of(const Graph& graph, std::string_view value) {
  const pt2::GraphIndex index(graph);
  return index.defining_node(index.find(value));
}

Graph clone_of(const Graph& graph, const std::string& value) {
  pt2::Node node = call("torch.ops.aten.clone.default", {tensor(value)}, {"clone"});
  node.inputs[0].name = "self";
  Graph part;
  part.tensor_values.insert("clone", graph.tensor_values.at(value));
  part.outputs = node.outputs;
  part.nodes.push_back(std::move(node));
  return part;
}

}  // namespace

TEST_CASE("a node that is inserted after another has its result there, under a name that is free") {
  ExportedProgram program = mlp();
  Graph& graph = program.graph_module.graph;
  const std::size_t relu = node_of(graph, "relu");
  const auto first = pt2::insert_after(graph, relu, clone_of(graph, "relu"));
  const auto second = pt2::insert_before(graph, relu + 1, clone_of(graph, "relu"));
  CHECK(*pt2::value_of(first[0]) == "clone");
  CHECK(*pt2::value_of(second[0]) == "clone_1");
  CHECK(node_of(graph, "clone_1") == relu + 1);
  CHECK(node_of(graph, "clone") == relu + 2);
  CHECK(errors_of(program).empty());
}

TEST_CASE("what is inserted uses only what is defined before it") {
  ExportedProgram program = mlp();
  Graph& graph = program.graph_module.graph;
  const ExportedProgram original = program;
  const std::size_t relu = node_of(graph, "relu");
  CHECK_THROWS_WITH(pt2::insert_before(graph, relu, clone_of(graph, "relu")),
                    "the value 'relu' is not defined at this node");
  CHECK_THROWS_WITH(pt2::insert_before(graph, 9, clone_of(graph, "x")),
                    "node 9 is out of range: the graph has 5 nodes");
  CHECK(program == original);
}

TEST_CASE("all later uses of a value can be replaced, including outputs") {
  ExportedProgram program = mlp();
  Graph& graph = program.graph_module.graph;
  const std::string result = graph.outputs[0].get<Argument::as_tensor>().name;
  const auto clone = pt2::insert_before(graph, graph.nodes.size(), clone_of(graph, result));
  pt2::Substitutes substitutes;
  substitutes[result] = clone[0];
  CHECK_THROWS_WITH(pt2::replace_uses(program, graph, substitutes),
                    "cannot replace a value: 'clone' is defined after 'clone', which uses '" + result + "'");
  pt2::replace_uses(program, graph, substitutes, graph.nodes.size());
  CHECK(graph.outputs[0] == tensor("clone"));
  CHECK(program.graph_module.signature.output_specs[0].get<pt2::OutputSpec::user_output>().arg ==
        tensor("clone"));
  CHECK(pt2::users_of(program, graph, result) == std::vector<std::string>{"'clone'"});
  CHECK(errors_of(program).empty());
}

TEST_CASE("a value is only replaced by one of its kind") {
  ExportedProgram program = fixture("sym_values.json");
  Graph& graph = program.graph_module.graph;
  REQUIRE(graph.sym_int_values.size() > 0);
  const ExportedProgram original = program;
  pt2::Substitutes substitutes;
  substitutes["x"] = number(1);
  CHECK_THROWS_WITH(pt2::replace_uses(program, graph, substitutes),
                    "cannot replace a value: 'x' cannot be replaced by as_int");
  substitutes["x"] = pt2::value_argument(graph, graph.sym_int_values.begin()->key());
  CHECK_THROWS_WITH(
      pt2::replace_uses(program, graph, substitutes),
      "cannot replace a value: '" + graph.sym_int_values.begin()->key() + "' and 'x' are of different kinds");
  substitutes["x"] = tensor("nowhere");
  CHECK_THROWS_WITH(pt2::replace_uses(program, graph, substitutes),
                    "cannot replace a value: the graph lacks the value 'nowhere'");
  CHECK(program == original);
}

TEST_CASE("a literal takes the place of a symbolic number in lists, too") {
  Graph graph = graph_of({"x"}, {}, {});
  Argument sizes = Argument::of<Argument::as_sym_ints>();
  sizes.get<Argument::as_sym_ints>().push_back(pt2::SymIntArgument::of<pt2::SymIntArgument::as_name>("n"));
  sizes.get<Argument::as_sym_ints>().push_back(pt2::SymIntArgument::of<pt2::SymIntArgument::as_int>(4));
  pt2::Substitutes substitutes;
  substitutes["n"] = number(2);
  pt2::substitute(substitutes, sizes);
  CHECK(sizes == Argument::of<Argument::as_ints>(std::vector<std::int64_t>{2, 4}));
}

TEST_CASE("a node is erased with its values, but not while it is used") {
  ExportedProgram program = mlp();
  Graph& graph = program.graph_module.graph;
  const ExportedProgram original = program;
  const std::size_t relu = node_of(graph, "relu");
  CHECK_THROWS_WITH(pt2::erase_node(program, graph, relu),
                    "cannot erase a node: its result 'relu' is used by 'linear_1'");
  CHECK(program == original);
  pt2::insert_after(graph, relu, clone_of(graph, "relu"));
  pt2::erase_node(program, graph, relu + 1);
  CHECK(program == original);
}

TEST_CASE("an argument is set by its name, as the schema has it") {
  ExportedProgram program = mlp();
  Graph& graph = program.graph_module.graph;
  const std::size_t add = graph.nodes.size() - 1;
  REQUIRE(graph.nodes[add].target == "torch.ops.aten.add.Tensor");
  pt2::set_argument(graph, add, "alpha", number(2));
  const pt2::NamedArgument& alpha = graph.nodes[add].inputs.back();
  CHECK(alpha.name == "alpha");
  CHECK(alpha.kind == pt2::ArgumentKind::KEYWORD);
  pt2::set_argument(graph, add, "alpha", number(3));
  CHECK(graph.nodes[add].inputs.size() == 3);
  CHECK(alpha.arg == number(3));
  CHECK(errors_of(program).empty());
  CHECK_THROWS_WITH(
      pt2::set_argument(graph, add, "alpha", Argument::of<Argument::as_string>("x")),
      "cannot set the argument 'alpha' of 'torch.ops.aten.add.Tensor': expected Scalar, got as_string");
  CHECK_THROWS_WITH(pt2::set_argument(graph, add, "beta", number(1)),
                    Catch::Contains("its schema has no such argument: aten::add.Tensor(Tensor self"));
  CHECK_THROWS_WITH(pt2::set_argument(graph, add, "other", tensor("add")),
                    "the value 'add' is not defined at this node");
}
