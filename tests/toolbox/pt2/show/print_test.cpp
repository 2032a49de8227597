#include "pt2/show/print.h"

#include <catch2/catch.hpp>

#include "pt2/program.h"
#include "pt2/strings/program_words.h"
#include "runtime/pt2/head_version.h"

using pt2::Argument;
using pt2::Colours;
using pt2::ExportedProgram;
using pt2::Graph;
using pt2::Node;
using pt2::program_text;
using pt2::range_text;

namespace {

Argument tensor(const std::string& name) {
  Argument argument;
  argument.emplace<Argument::as_tensor>().name = name;
  return argument;
}

Argument number(std::int64_t value) {
  Argument argument;
  argument.emplace<Argument::as_int>(value);
  return argument;
}

Argument subgraph(const std::string& name, Graph graph) {
  Argument argument;
  pt2::GraphArgument& member = argument.emplace<Argument::as_graph>();
  member.name = name;
  *member.graph = std::move(graph);
  return argument;
}

pt2::NamedArgument named(const std::string& name, Argument value, std::optional<pt2::ArgumentKind> kind) {
  return {name, std::move(value), kind};
}

Node node_of(const std::string& target, std::vector<pt2::NamedArgument> inputs,
             std::vector<Argument> outputs) {
  Node node;
  node.target = target;
  node.inputs = std::move(inputs);
  node.outputs = std::move(outputs);
  return node;
}

ExportedProgram program_of(Graph graph) {
  ExportedProgram program;
  program.schema_version = kHeadVersion;
  program.torch_version = "2.13.0";
  program.graph_module.graph = std::move(graph);
  return program;
}

const std::string kHead = "schema " + kHeadText + ", torch 2.13.0\n";

pt2::TensorMeta f32_of_3() {
  pt2::TensorMeta meta;
  meta.dtype = pt2::ScalarType::FLOAT;
  meta.device.type = "cpu";
  meta.sizes.emplace_back().emplace<pt2::SymInt::as_int>(3);
  return meta;
}

Graph graph_with_inputs(const std::vector<std::string>& names) {
  Graph graph;
  for (const std::string& name : names) {
    graph.inputs.push_back(tensor(name));
    graph.tensor_values[name] = f32_of_3();
  }
  return graph;
}

}  // namespace

TEST_CASE("shows a program with subgraphs") {
  const auto loaded = pt2::load_program(PT2_SOURCE_DIR "/tests/data/programs/torch-2.13.0/cond.pt2");
  CHECK(program_text(loaded.program) == R"(schema 8.20, torch 2.13.0+cpu

inputs
  p  bool[]  user input
  x  f32[3]  user input

nodes
  getitem: f32[3] = higher_order.cond(p, true_graph_0, false_graph_0, [x])
    true_graph_0(x: f32[3]):
      sin: f32[3] = aten.sin.default(x)
      add: f32[3] = aten.add.Tensor(sin, 1)
      return add
    false_graph_0(x: f32[3]):
      cos: f32[3] = aten.cos.default(x)
      sub: f32[3] = aten.sub.Tensor(cos, 1)
      return sub

outputs
  getitem  f32[3]  user output
)");
}

TEST_CASE("shows an empty program") {
  CHECK(program_text(program_of({})) == kHead);
}

TEST_CASE("shows the meaning of each input") {
  Graph graph = graph_with_inputs({"a", "b", "c", "d", "e", "f", "g"});
  graph.inputs.push_back(number(3));
  graph.inputs.push_back(tensor("i"));
  ExportedProgram program = program_of(std::move(graph));
  std::vector<pt2::InputSpec>& specs = program.graph_module.signature.input_specs;
  specs.resize(8);
  specs[0].emplace<pt2::InputSpec::user_input>();
  specs[1].emplace<pt2::InputSpec::parameter>().parameter_name = "l.weight";
  specs[2].emplace<pt2::InputSpec::buffer>() = {{"c"}, "l.mean", true};
  specs[3].emplace<pt2::InputSpec::buffer>() = {{"d"}, "l.mask", false};
  specs[4].emplace<pt2::InputSpec::tensor_constant>().tensor_constant_name = "t";
  specs[5].emplace<pt2::InputSpec::custom_obj>().custom_obj_name = "obj";
  specs[6].emplace<pt2::InputSpec::token>();
  pt2::InputToConstantInputSpec& constant = specs[7].emplace<pt2::InputSpec::constant_input>();
  constant.name = "k";
  constant.value.emplace<pt2::ConstantValue::as_int>(3);
  CHECK(program_text(program) == kHead + R"(
inputs
  a  f32[3]  user input
  b  f32[3]  parameter "l.weight"
  c  f32[3]  buffer "l.mean"
  d  f32[3]  buffer "l.mask" (not persistent)
  e  f32[3]  constant "t"
  f  f32[3]  custom object "obj"
  g  f32[3]  token
  k          user input, always 3
  i          not in the signature
)");
}

TEST_CASE("shows the meaning of each output") {
  Graph graph;
  graph.outputs = std::vector<Argument>(8, tensor("x"));
  ExportedProgram program = program_of(std::move(graph));
  std::vector<pt2::OutputSpec>& specs = program.graph_module.signature.output_specs;
  specs.resize(9);
  specs[0].emplace<pt2::OutputSpec::user_output>();
  specs[1].emplace<pt2::OutputSpec::loss_output>();
  specs[2].emplace<pt2::OutputSpec::buffer_mutation>().buffer_name = "b";
  specs[3].emplace<pt2::OutputSpec::gradient_to_parameter>().parameter_name = "p";
  specs[4].emplace<pt2::OutputSpec::gradient_to_user_input>().user_input_name = "u";
  specs[5].emplace<pt2::OutputSpec::user_input_mutation>().user_input_name = "u";
  specs[6].emplace<pt2::OutputSpec::token>();
  specs[7].emplace<pt2::OutputSpec::parameter_mutation>().parameter_name = "p";
  CHECK(program_text(program) == kHead + R"(
outputs
  x  user output
  x  loss
  x  mutation of buffer "b"
  x  gradient of parameter "p"
  x  gradient of user input "u"
  x  mutation of user input "u"
  x  token
  x  mutation of parameter "p"
     <unset>
)");
}

TEST_CASE("names keyword arguments, and all after the leading values in older files") {
  const auto positional = pt2::ArgumentKind::POSITIONAL;
  Graph graph;
  graph.nodes.push_back(node_of(
      "torch.ops.aten.full.default",
      {named("size", number(2), positional), named("fill_value", number(1), pt2::ArgumentKind::KEYWORD),
       named("", number(0), pt2::ArgumentKind::KEYWORD)},
      {tensor("full")}));
  graph.nodes.push_back(
      node_of("torch.ops.aten.add.Tensor",
              {named("self", tensor("x"), std::nullopt), named("other", tensor("y"), std::nullopt),
               named("alpha", number(2), std::nullopt), named("out", tensor("z"), std::nullopt)},
              {tensor("add")}));
  graph.nodes.push_back(node_of(
      "_operator.mul", {named("a", tensor("x"), std::nullopt), named("b", number(2), std::nullopt)}, {}));
  CHECK(program_text(program_of(std::move(graph))) == kHead + R"(
nodes
  full = aten.full.default(2, fill_value=1, 0)
  add = aten.add.Tensor(x, y, alpha=2, out=z)
  _operator.mul(x, 2)
)");
}

TEST_CASE("wraps wide headers of subgraphs") {
  Graph branch = graph_with_inputs({"a_rather_long_name_of_an_input", "another_rather_long_name_of_an_input",
                                    "a_third_one_that_is_too_much"});
  Graph graph;
  graph.nodes.push_back(
      node_of("torch.ops.higher_order.cond", {named("", subgraph("branch", branch), std::nullopt)}, {}));
  CHECK(program_text(program_of(std::move(graph))) == kHead + R"(
nodes
  higher_order.cond(branch)
    branch(
        a_rather_long_name_of_an_input: f32[3],
        another_rather_long_name_of_an_input: f32[3],
        a_third_one_that_is_too_much: f32[3]):
      return
)");
}

TEST_CASE("finds subgraphs in dictionaries") {
  Argument dict;
  dict.emplace<Argument::as_string_to_argument>()["k"] = subgraph("g", {});
  Graph graph;
  graph.nodes.push_back(node_of("f", {named("", std::move(dict), std::nullopt)}, {}));
  CHECK(program_text(program_of(std::move(graph))) == kHead + R"(
nodes
  f({"k": g})
    g():
      return
)");
}

TEST_CASE("shows graphs nested up to the limit and deeper") {
  Graph graph;
  for (int level = 0; level < 500; ++level) {
    Graph outer;
    outer.nodes.push_back(node_of("f", {named("", subgraph("g", std::move(graph)), std::nullopt)}, {}));
    graph = std::move(outer);
  }
  const std::string text = program_text(program_of(std::move(graph)));
  CHECK(text.find(std::string(2 + 4 * 499, ' ') + "f(g)\n") != std::string::npos);
}

TEST_CASE("dims types on request without breaking alignment") {
  ExportedProgram program = program_of(graph_with_inputs({"a", "bc"}));
  program.graph_module.graph.inputs[1] = number(1);
  program.graph_module.graph.nodes.push_back(
      node_of("f", {named("", tensor("a"), std::nullopt)}, {tensor("a")}));
  pt2::PrintOptions coloured;
  coloured.colours = Colours::ansi;
  CHECK(program_text(program, coloured) == kHead +
                                               "\ninputs\n"
                                               "  a  \x1b[2mf32[3]\x1b[0m  not in the signature\n"
                                               "  1          not in the signature\n"
                                               "\nnodes\n"
                                               "  a: \x1b[2mf32[3]\x1b[0m = f(a)\n");
}

TEST_CASE("shows the ranges of symbols") {
  pt2::RangeConstraint range;
  CHECK(range_text("s0", range) == "s0 unbounded");
  range.min_val = 2;
  CHECK(range_text("s0", range) == "s0 >= 2");
  range.max_val = 64;
  CHECK(range_text("2*s0", range) == "2 <= 2*s0 <= 64");
  range.min_val.reset();
  CHECK(range_text("Symbol('u0', integer=True)", range) == "u0 <= 64");

  ExportedProgram program = program_of({});
  program.range_constraints["s0"] = range;
  CHECK(program_text(program) == kHead + "\nsymbols\n  s0 <= 64\n");
}

TEST_CASE("escapes names for the terminal") {
  Graph graph = graph_with_inputs({"a\x1b[31m"});
  graph.nodes.push_back(
      node_of("t\n", {named("n\r", number(1), pt2::ArgumentKind::KEYWORD)}, {tensor("o\x07")}));
  graph.nodes.push_back(node_of("f", {named("", subgraph("g\x1b", {}), std::nullopt)}, {}));
  ExportedProgram program = program_of(std::move(graph));
  program.torch_version = "\x1b";
  program.range_constraints["s\x1b"];
  const std::string text = program_text(program);
  CHECK(text.find_first_of("\x1b\x07\r") == std::string::npos);
  CHECK(text.find("o\\x07 = t\\n(n\\r=1)") != std::string::npos);
}

TEST_CASE("a missing version is shown as not recorded") {
  ExportedProgram program = program_of({});
  program.torch_version = ExportedProgram().torch_version;
  CHECK(program_text(program) == "schema " + kHeadText + ", torch version not recorded\n");
}
