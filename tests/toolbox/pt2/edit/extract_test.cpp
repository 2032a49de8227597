#include "pt2/edit/extract.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "folder.h"
#include "pt2/graph/signature.h"
#include "pt2/infer/infer.h"
#include "pt2/strings/expression_value.h"
#include "pt2/weights.h"
#include "runtime/pt2/program_builder.h"
#include "schemagen/base/error.h"
#include "toolbox/pt2/edit/cuts.h"
#include "toolbox/pt2/edit/errors.h"
#include "toolbox/pt2/edit/fixtures.h"

using pt2::ExportedProgram;
using Names = std::vector<std::string>;

namespace {

Names targets(const ExportedProgram& program) {
  Names names;
  for (const pt2::Node& node : program.graph_module.graph.nodes) names.push_back(node.target);
  return names;
}

ExportedProgram cut_program(const std::string& name) {
  return pt2::load_program(PT2_SOURCE_DIR "/tests/data/cuts/" + name + ".json").program;
}

Names sizes_of(const ExportedProgram& program, const std::string& tensor) {
  Names sizes;
  for (const pt2::SymInt& size : program.graph_module.graph.tensor_values.at(tensor).sizes) {
    sizes.push_back(pt2::expression_text(pt2::Size(size).srepr()));
  }
  return sizes;
}

pt2::Node named(pt2::Node node, const Names& names) {
  for (std::size_t i = 0; i < names.size(); ++i) node.inputs[i].name = names[i];
  return node;
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

TEST_CASE("a size between the parts that is not a symbol becomes one, with its range and all its uses") {
  const ExportedProgram part = pt2::extract(cut_program("conv_dynamic"), {"relu"}, {"conv2d_1"});
  CHECK(sizes_of(part, "relu") == Names{"2", "4", "s0", "s1"});
  CHECK(sizes_of(part, "conv2d_1") == Names{"2", "4", "s0", "s1"});
  CHECK(pt2::Size(part.graph_module.graph.tensor_values.at("conv2d_1").strides[0]).srepr() ==
        "Mul(Integer(4), Symbol('s0', positive=True, integer=True), Symbol('s1', positive=True, "
        "integer=True))");
  REQUIRE(part.range_constraints.size() == 2);
  CHECK(part.range_constraints.at("s0").min_val == 1);
  CHECK(!part.range_constraints.at("s0").max_val);
}

TEST_CASE("a symbol that data decides on is not looked for in a size that does not tell it") {
  const ExportedProgram part = pt2::extract(cut_program("draft_export"), {"slice_1"}, {"add"});
  CHECK(sizes_of(part, "slice_1") == Names{"u1", "3"});
  CHECK(sizes_of(part, "add") == Names{"u1", "3"});
  REQUIRE(part.range_constraints.size() == 1);
  CHECK(part.range_constraints.at("u1").min_val == 3);
  CHECK(part.range_constraints.at("u1").max_val == 5);
}

TEST_CASE("sizes that the inputs tell stay as they are") {
  const ExportedProgram program = fixture("dynamic.json");
  CHECK(sizes_of(pt2::extract(program, {"cat"}, {"matmul"}), "cat") == Names{"s0", "5"});
  const ExportedProgram part = pt2::extract(program, {"x", "y", "cat"}, {"matmul"});
  CHECK(sizes_of(part, "cat") == Names{"s17 + s77", "5"});
  const ExportedProgram half = pt2::extract(program, {"cat", "x"}, {"matmul", "add"});
  CHECK(sizes_of(half, "matmul") == Names{"s0", "2"});
  const ExportedProgram derived = fixture("sym_values.json");
  CHECK(sizes_of(pt2::extract(derived, {"x"}, {"view"}), "x") == Names{"2*s39", "4"});
}

TEST_CASE("a size of an input outside of the part is taken from an input of the part that has it") {
  const ExportedProgram part = pt2::extract(fixture("gpt2.json"), {"add_1"}, {"linear_4", "reshape_1"});
  CHECK(sizes_of(part, "add_1") == Names{"2", "s48", "32"});
  const pt2::Node& size = part.graph_module.graph.nodes[0];
  CHECK(size.target == "torch.ops.aten.sym_size.int");
  CHECK(size.inputs[0].arg.get<pt2::Argument::as_tensor>().name == "add_1");
  CHECK(size.inputs[1].arg.get<pt2::Argument::as_int>() == 1);
  CHECK(errors_of(part).empty());
}

TEST_CASE("an operator that writes and gives nothing is in the part that has its place") {
  const ExportedProgram program = cut_program("custom_ops");
  const auto writes = [&](const Names& inputs, const Names& outputs) {
    const Names names = targets(pt2::extract(program, inputs, outputs));
    return std::count(names.begin(), names.end(), "torch.ops.realtest.inc_.default");
  };
  const Names results = {"getitem_3", "clone", "getitem", "dyn"};
  CHECK(writes({"x", "y"}, results) == 1);
  CHECK(writes(results, results) == 0);
  CHECK(writes({"x", "y"}, {"clone"}) == 0);  // aten.clone gives a new tensor
  CHECK(writes({"clone", "scale_add"}, {"clone", "dyn"}) == 1);
}

TEST_CASE("a program that gives the tensor that it was given has its writes, as a part, too") {
  ExportedProgram program =
      program_of(graph_of({"x"}, {call("torch.ops.own.increase.default", {tensor("x")}, {})}, {"x"}));
  program.graph_module.graph.nodes[0].inputs[0].name = "x";
  CHECK(targets(pt2::extract(program, {"x"}, {"x"})).size() == 1);
}

TEST_CASE("a part that needs a value as it was before it was written to is refused") {
  const auto aten = [](const std::string& name, const Names& inputs, const std::string& output) {
    std::vector<pt2::Argument> arguments;
    for (const std::string& input : inputs) arguments.push_back(tensor(input));
    Names names = {"self", "other"};
    names.resize(inputs.size());
    return named(call("torch.ops.aten." + name, arguments, {output}), names);
  };
  ExportedProgram program;
  program.graph_module.graph =
      graph_of({"x"},
               {aten("relu.default", {"x"}, "a"), aten("sin.default", {"a"}, "b"),
                aten("add_.Tensor", {"a", "b"}, "c"), aten("cos.default", {"a"}, "d"),
                aten("mul.Tensor", {"b", "d"}, "e")},
               {"e"});
  CHECK(targets(pt2::extract(program, {"a"}, {"e"})).size() == 4);
  CHECK(targets(pt2::extract(program, {"a", "b", "c"}, {"e"})).size() == 2);
  CHECK_THROWS_WITH(
      pt2::extract(program, {"a", "c"}, {"e"}),
      "cannot extract: 'torch.ops.aten.sin.default' needs 'a' as it was before 'torch.ops.aten.add_.Tensor', "
      "which may write to it, but the input 'c' has the later value");
  CHECK_THROWS_WITH(pt2::extract(program, {"x", "c"}, {"a"}),
                    Catch::Contains("'torch.ops.aten.relu.default' needs 'a'"));
  CHECK_THROWS_WITH(pt2::extract(program, {"a", "d"}, {"a"}), Catch::Contains("the output needs 'a'"));
}

TEST_CASE("a part is saved with the weights that it needs, and no more") {
  const pt2::ProgramFile file =
      pt2::open_program_file(PT2_SOURCE_DIR "/tests/data/programs/torch-2.13.0/mlp.pt2");
  const Folder folder;
  const std::string path = folder / "part.pt2";
  pt2::save_program(pt2::extract(pt2::load_program(file).program, {"x"}, {"relu"}), path,
                    {&file, std::nullopt, pt2::SaveWeights::used});
  const pt2::ProgramFile part = pt2::open_program_file(path);
  Names names;
  for (const pt2::Weight& weight : pt2::load_weights(part)) names.push_back(weight.name);
  CHECK(names.size() == 2);
}

TEST_CASE("what torch cannot load is refused") {
  const ExportedProgram program = fixture("sym_values.json");
  CHECK_THROWS_WITH(pt2::extract(program, {"x"}, {"gt"}),
                    "cannot extract: the output 'gt' is a symbolic bool, which torch cannot load; choose a "
                    "part that does not need it");
  CHECK_THROWS_WITH(pt2::extract(program, {"x", "gt"}, {"mul"}), Catch::Contains("the input 'gt'"));
  CHECK_THROWS_WITH(pt2::extract(program, {"sym_float"}, {"mul_1"}), Catch::Contains("a symbolic float"));
  CHECK_NOTHROW(pt2::extract(program, {"x"}, {"mul_1"}));
}

TEST_CASE("a part that would not be valid is refused, with the rule that it breaks") {
  ExportedProgram program = fixture("mlp.json");
  program.graph_module.graph.tensor_values.at("linear").sizes[0] = symbolic("(");
  CHECK_THROWS_WITH(pt2::extract(program, {"x"}, {"relu"}),
                    Catch::StartsWith("cannot extract: the part would be invalid: "
                                      "graph_module.graph.tensor_values.linear.sizes[0]") &&
                        Catch::EndsWith("[EXPRESSION_CODE]"));
}

TEST_CASE("what cannot be extracted is refused, with the names that it is about") {
  const ExportedProgram program = fixture("mlp.json");
  const auto extract = [&](const Names& inputs, const Names& outputs) {
    pt2::extract(program, inputs, outputs);
  };
  CHECK_THROWS_WITH(extract({"x"}, {}), "cannot extract: expected at least one output");
  CHECK_THROWS_WITH(extract({"y"}, {"relu"}), "cannot extract: the graph lacks the value 'y'");
  CHECK_THROWS_WITH(extract({"x", "x"}, {"relu"}), "cannot extract: the input 'x' is given twice");
  CHECK_THROWS_WITH(
      extract({}, {"relu"}),
      "cannot extract: 'relu' needs the program's input 'x', which is not an input of the part; "
      "hint: add it, or 'linear', which uses it");
}

TEST_CASE("an operator that a schema tells of is only in the parts that it writes for") {
  const ExportedProgram program =
      program_of(graph_of({"x"},
                          {named(call("torch.ops.aten.relu.default", {tensor("x")}, {"y"}), {"self"}),
                           named(call("torch.ops.my.log.default", {tensor("y")}, {"z"}), {"x"}),
                           named(call("torch.ops.aten.sin.default", {tensor("y")}, {"w"}), {"self"})},
                          {"w"}));
  pt2::OperatorSet operators;
  operators.add("my::log(Tensor x) -> Tensor");
  CHECK(targets(pt2::extract(program, {"x"}, {"w"})).size() == 3);
  CHECK(targets(pt2::extract(program, {"x"}, {"w"}, operators)) ==
        Names{"torch.ops.aten.relu.default", "torch.ops.aten.sin.default"});
}

TEST_CASE("a program is not cut within a function that vmap runs") {
  const std::string functions = "torch._functorch.predispatch.";
  ExportedProgram program = program_of(graph_of(
      {"x"},
      {named(call("torch.ops.aten.relu.default", {tensor("x")}, {"y"}), {"self"}),
       named(call(functions + "_vmap_increment_nesting",
                  {number(3), pt2::Argument::of<pt2::Argument::as_string>("error")}, {}),
             {"batch_size", "randomness"}),
       named(call(functions + "_add_batch_dim", {tensor("y"), number(0), number(1)}, {"item"}),
             {"self", "batch_dim", "level"}),
       named(call("torch.ops.aten.sin.default", {tensor("item")}, {"sin"}), {"self"}),
       named(call(functions + "_remove_batch_dim", {tensor("sin"), number(1), number(3), number(0)}, {"z"}),
             {"self", "level", "batch_size", "out_dim"}),
       call(functions + "_vmap_decrement_nesting", {}, {})},
      {"z"}));
  for (const std::size_t i : {std::size_t{1}, std::size_t{5}}) {  // torch's notation for no result
    program.graph_module.graph.nodes[i].outputs.emplace_back().emplace<pt2::Argument::as_none>(true);
  }
  CHECK(targets(pt2::extract(program, {"y"}, {"z"})).size() == 5);
  for (const char* name : {"item", "sin"}) {
    const std::string expected = "cannot extract: '" + std::string(name) +
                                 "' is inside a torch.func transform (vmap, jvp); cut before or after it";
    CHECK_THROWS_WITH(pt2::extract(program, {"x"}, {name}), expected);
    CHECK_THROWS_WITH(pt2::extract(program, {name}, {"z"}), expected);
  }
}
