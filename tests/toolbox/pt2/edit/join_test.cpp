#include "pt2/edit/join.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "pt2/edit/extract.h"
#include "pt2/graph/index.h"
#include "pt2/graph/signature.h"
#include "pt2/text/treespec.h"
#include "runtime/pt2/program_builder.h"
#include "schemagen/base/error.h"
#include "toolbox/pt2/edit/cuts.h"
#include "toolbox/pt2/edit/errors.h"
#include "toolbox/pt2/edit/fixtures.h"

using pt2::Connection;
using pt2::ExportedProgram;
using Names = std::vector<std::string>;

namespace {

std::vector<Connection> by_name(const Names& names) {
  std::vector<Connection> connections;
  for (const std::string& name : names) connections.push_back({name, name});
  return connections;
}

pt2::SymInt number_of(std::int64_t value) {
  return pt2::SymInt(value);
}

ExportedProgram sine(const pt2::SymInt& size) {
  pt2::Graph graph = graph_of({"x"}, {call("torch.ops.aten.sin.default", {tensor("x")}, {"sin"})}, {"sin"});
  graph.nodes[0].inputs[0].name = "self";
  for (auto& entry : graph.tensor_values) {
    entry.value.sizes = {size};
    entry.value.strides = {number_of(1)};
  }
  return program_of(graph);
}

const pt2::SymInt& size_of(const ExportedProgram& program, const char* value) {
  return program.graph_module.graph.tensor_values.at(value).sizes[0];
}

}  // namespace

TEST_CASE("the second program runs on what the first gives, under names that are free") {
  const ExportedProgram program = pt2::join(sine(number_of(3)), sine(number_of(3)), {{"sin", "x"}}).program;
  const pt2::Graph& graph = program.graph_module.graph;
  REQUIRE(graph.nodes.size() == 2);
  CHECK(graph.nodes[1].inputs[0].arg == tensor("sin"));
  CHECK(graph.inputs == std::vector<pt2::Argument>{tensor("x")});
  CHECK(graph.outputs == std::vector<pt2::Argument>{tensor("sin_1")});
  CHECK(errors_of(program).empty());
}

TEST_CASE("what is not connected stays the user's") {
  const ExportedProgram program = pt2::join(sine(number_of(3)), sine(number_of(3)), {}).program;
  const pt2::Graph& graph = program.graph_module.graph;
  CHECK(graph.inputs == std::vector<pt2::Argument>{tensor("x"), tensor("x_1")});
  CHECK(graph.outputs == std::vector<pt2::Argument>{tensor("sin"), tensor("sin_1")});
  CHECK(graph.nodes[1].inputs[0].arg == tensor("x_1"));
  CHECK(errors_of(program).empty());
}

TEST_CASE("a symbol of the second program becomes what the first has at its place, within both ranges") {
  ExportedProgram second = sine(symbolic("Symbol('s0', integer=True)"));
  second.graph_module.graph.tensor_values.at("sin").sizes = {
      symbolic("Mul(Integer(2), Symbol('s0', integer=True))")};
  second.range_constraints["s0"] = {2, 8};
  ExportedProgram first = sine(symbolic("Symbol('s7', integer=True)"));
  first.range_constraints["s7"] = {4, 100};
  const ExportedProgram same = pt2::join(first, second, {{"sin", "x"}}).program;
  CHECK(size_of(same, "sin_1").get<pt2::SymInt::as_expr>().expr_str ==
        "Mul(Integer(2), Symbol('s7', integer=True))");
  CHECK(same.range_constraints.at("s7") == pt2::RangeConstraint{4, 8});
  const ExportedProgram fixed = pt2::join(sine(number_of(5)), second, {{"sin", "x"}}).program;
  CHECK(size_of(fixed, "sin_1") == number_of(10));
  CHECK(fixed.range_constraints.empty());
  CHECK_THROWS_WITH(pt2::join(sine(number_of(9)), second, {{"sin", "x"}}),
                    "cannot join: size 9 is outside the range of 's0'");
  first.range_constraints["s7"] = {9, 100};
  CHECK_THROWS_WITH(pt2::join(first, second, {{"sin", "x"}}),
                    "cannot join: the programs' ranges for 's7' do not overlap");
}

TEST_CASE("symbols that are not connected are made apart") {
  ExportedProgram program = sine(symbolic("Symbol('s0', integer=True)"));
  program.range_constraints["s0"] = {2, 8};
  const ExportedProgram joined = pt2::join(program, program, {}).program;
  CHECK(size_of(joined, "sin_1").get<pt2::SymInt::as_expr>().expr_str == "Symbol('s1', integer=True)");
  CHECK(joined.range_constraints.at("s1") == pt2::RangeConstraint{2, 8});
}

TEST_CASE("weights of one name stay two") {
  const ExportedProgram program = fixture("mlp.json");
  ExportedProgram first = pt2::extract(program, {"x"}, {"relu"});
  const pt2::JoinedProgram joined = pt2::join(first, first, {});
  CHECK(joined.renamed.size() == 2);
  CHECK(joined.renamed[0].old_name == "l1.weight");
  CHECK(joined.renamed[0].new_name == "l1.weight_1");
  CHECK(pt2::ExportGraphSignature(joined.program.graph_module.signature).parameters().size() == 4);
  CHECK(errors_of(joined.program).empty());
}

TEST_CASE("programs that do not go together are refused") {
  const ExportedProgram three = sine(number_of(3));
  const auto join = [&](const ExportedProgram& second, const std::vector<Connection>& connections) {
    pt2::join(three, second, connections);
  };
  CHECK_THROWS_WITH(join(sine(number_of(4)), {{"sin", "x"}}),
                    "cannot join: size of 'sin': expected 4, got 3");
  CHECK_THROWS_WITH(join(three, {{"cos", "x"}}), "cannot join: the first program has no user output 'cos'");
  CHECK_THROWS_WITH(join(three, {{"sin", "y"}}), "cannot join: the second program has no user input 'y'");
  CHECK_THROWS_WITH(join(three, {{"sin", "x"}, {"sin", "x"}}),
                    "cannot join: the input 'x' is connected twice");
  ExportedProgram other = three;
  other.graph_module.graph.tensor_values.at("x").dtype = pt2::ScalarType::LONG;
  CHECK_THROWS_WITH(join(other, {{"sin", "x"}}), "cannot join: dtypes differ for 'sin'");
  other.graph_module.graph.tensor_values.at("x") = pt2::TensorMeta();
  other.graph_module.graph.tensor_values.at("x").dtype = pt2::ScalarType::FLOAT;
  CHECK_THROWS_WITH(join(other, {{"sin", "x"}}), "cannot join: 'sin': expected 0 dimensions, got 1");
  CHECK_THROWS_WITH(join(fixture("effects.json"), {}), "cannot join: the second program has tokens");
}

TEST_CASE("the parts of every program before and after any cut are sound when they are joined again") {
  const std::size_t cuts =
      for_each_cut([](const ExportedProgram& head, const ExportedProgram& tail, const Names& between) {
        const ExportedProgram joined = pt2::join(head, tail, by_name(between)).program;
        CHECK(errors_of(joined).empty());
        const auto outputs = pt2::ExportGraphSignature(tail.graph_module.signature).user_outputs().size();
        CHECK(pt2::ExportGraphSignature(joined.graph_module.signature).user_outputs().size() == outputs);
      });
  CHECK(cuts > 50);
}
