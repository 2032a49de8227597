#include "pt2/edit/programs.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "pt2/versions/graph/signature.h"
#include "runtime/pt2/edit/cuts.h"
#include "runtime/pt2/edit/errors.h"
#include "runtime/pt2/edit/fixtures.h"
#include "runtime/pt2/program_builder.h"
#include "schemagen/value/error.h"

using pt2::ExportedProgram;
using Names = std::vector<std::string>;

namespace {

Names targets(const ExportedProgram& program) {
  Names names;
  for (const pt2::Node& node : program.graph_module.graph.nodes) names.push_back(node.target);
  return names;
}

}  // namespace

TEST_CASE("a part has the nodes and weights that its outputs need, and no more") {
  const ExportedProgram program = fixture("mlp.json");
  const ExportedProgram part = pt2::extract(program, {"x"}, {"relu"});
  CHECK(targets(part) == Names{"torch.ops.aten.linear.default", "torch.ops.aten.relu.default"});
  const pt2::ExportGraphSignature signature(part.graph_module.signature);
  CHECK(signature.parameters().size() == 2);
  CHECK(names_of(signature.user_inputs()) == Names{"x"});
  CHECK(names_of(signature.user_outputs()) == Names{"relu"});
  CHECK(part.graph_module.graph.tensor_values.size() == 5);
  CHECK(errors_of(part).empty());
}

TEST_CASE("the parts of every program before and after any cut are sound") {
  const std::size_t cuts =
      for_each_cut([](const ExportedProgram& head, const ExportedProgram& tail, const Names&) {
        CHECK(errors_of(head).empty());
        CHECK(errors_of(tail).empty());
      });
  CHECK(cuts > 50);
}

TEST_CASE("a part has the ranges of its symbols only, and keeps mutations that it computes") {
  CHECK(pt2::extract(fixture("gpt2.json"), {"i"}, {"embedding"}).range_constraints.size() == 1);
  const ExportedProgram program = fixture("mutate_buffer.json");
  const pt2::ExportGraphSignature whole(program.graph_module.signature);
  const ExportedProgram part =
      pt2::extract(program, names_of(whole.user_inputs()), names_of(whole.user_outputs()));
  const pt2::ExportGraphSignature signature(part.graph_module.signature);
  CHECK(signature.buffers_to_mutate() == whole.buffers_to_mutate());
}

TEST_CASE("what cannot be extracted is refused, with the names that it is about") {
  const ExportedProgram program = fixture("mlp.json");
  const auto extract = [&](const Names& inputs, const Names& outputs) {
    pt2::extract(program, inputs, outputs);
  };
  CHECK_THROWS_WITH(extract({"x"}, {}), "cannot extract: a part needs an output");
  CHECK_THROWS_WITH(extract({"y"}, {"relu"}), "cannot extract: the graph has no value 'y'");
  CHECK_THROWS_WITH(extract({"x", "x"}, {"relu"}), "cannot extract: the input 'x' is named twice");
  CHECK_THROWS_WITH(extract({}, {"relu"}),
                    "cannot extract: 'relu' needs the program's input 'x', which is not among the inputs");
}

TEST_CASE("an operator that a schema tells of is only in the parts that it writes for") {
  const ExportedProgram program =
      program_of(graph_of({"x"},
                          {call("torch.ops.aten.relu.default", {tensor("x")}, {"y"}),
                           call("torch.ops.my.log.default", {tensor("y")}, {"z"}),
                           call("torch.ops.aten.sin.default", {tensor("y")}, {"w"})},
                          {"w"}));
  pt2::OperatorSet operators;
  operators.add("my::log(Tensor x) -> Tensor");
  CHECK(targets(pt2::extract(program, {"x"}, {"w"})).size() == 3);
  CHECK(targets(pt2::extract(program, {"x"}, {"w"}, operators)) ==
        Names{"torch.ops.aten.relu.default", "torch.ops.aten.sin.default"});
}

TEST_CASE("a program is not cut within a function that vmap runs") {
  const std::string functions = "torch._functorch.predispatch.";
  const ExportedProgram program = program_of(graph_of(
      {"x"},
      {call("torch.ops.aten.relu.default", {tensor("x")}, {"y"}),
       call(functions + "_vmap_increment_nesting", {number(3)}, {}),
       call(functions + "_add_batch_dim", {tensor("y"), number(0), number(1)}, {"item"}),
       call("torch.ops.aten.sin.default", {tensor("item")}, {"sin"}),
       call(functions + "_remove_batch_dim", {tensor("sin"), number(1), number(3), number(0)}, {"z"}),
       call(functions + "_vmap_decrement_nesting", {}, {})},
      {"z"}));
  CHECK(targets(pt2::extract(program, {"y"}, {"z"})).size() == 5);
  for (const char* name : {"item", "sin"}) {
    const std::string expected =
        "cannot extract: '" + std::string(name) +
        "' is within a function that torch.func transforms (vmap, jvp); cut before or after it";
    CHECK_THROWS_WITH(pt2::extract(program, {"x"}, {name}), expected);
    CHECK_THROWS_WITH(pt2::extract(program, {name}, {"z"}), expected);
  }
}
