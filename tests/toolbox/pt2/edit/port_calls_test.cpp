#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "pt2/edit/port_calls.h"
#include "runtime/pt2/program_builder.h"

using pt2::Argument;
using pt2::ArgumentKind;
using pt2::CallChange;
using pt2::port_calls;

namespace {

using Names = std::vector<std::string>;
using Inputs = std::vector<pt2::NamedArgument>;

constexpr const char* kCdist = "torch.ops.aten._cdist_backward.default";
constexpr const char* kScan = "torch.ops.higher_order.scan";
constexpr const char* kAttention = "torch.ops.aten._cudnn_attention_forward.default";

pt2::NamedArgument input(const std::string& name, Argument value,
                         ArgumentKind kind = ArgumentKind::POSITIONAL) {
  return {name, std::move(value), kind};
}

Argument none() {
  Argument argument;
  argument.emplace<Argument::as_none>(true);
  return argument;
}

pt2::ExportedProgram program_with(const std::string& target, Inputs inputs) {
  pt2::Node node = call(target, {}, {"y"});
  node.inputs = std::move(inputs);
  return program_of(graph_of({"x"}, {std::move(node)}, {"y"}));
}

Inputs& inputs_of(pt2::ExportedProgram& program) {
  return program.graph_module.graph.nodes[0].inputs;
}

Names texts(const std::vector<CallChange>& changes) {
  Names found;
  for (const CallChange& change : changes) {
    found.push_back((change.is_done ? "done " : "refused ") + change.path + ": " + change.what);
  }
  return found;
}

Inputs cdist_inputs(const std::string& first) {
  return {input(first, tensor("x")), input("x1", tensor("x")), input("x2", tensor("x")),
          input("p", number(2)), input("cdist", tensor("x"))};
}

}  // namespace

TEST_CASE("an argument that a release calls otherwise gets that name, and the other one on the way back") {
  pt2::ExportedProgram program = program_with(kCdist, cdist_inputs("grad"));
  CHECK(texts(port_calls(program, "2.13", "2.14")) ==
        Names{"done graph_module.graph.nodes[0]: aten._cdist_backward.default: renamed argument 'grad' to "
              "'grad_output'"});
  CHECK(inputs_of(program) == cdist_inputs("grad_output"));
  CHECK(texts(port_calls(program, "2.15", "2.6")).size() == 1);
  CHECK(inputs_of(program) == cdist_inputs("grad"));
}

TEST_CASE("calls of operators that both releases have alike stay as they are") {
  pt2::ExportedProgram program = program_with(kCdist, cdist_inputs("grad"));
  CHECK(port_calls(program, "2.8", "2.13").empty());
  CHECK(port_calls(program, "2.13", "2.13").empty());
  CHECK(inputs_of(program) == cdist_inputs("grad"));
  pt2::ExportedProgram own = program_with("torch.ops.my.own.default", cdist_inputs("grad"));
  CHECK(port_calls(own, "2.6", "2.14").empty());
}

TEST_CASE("calls that were ported before stay as they are") {
  pt2::ExportedProgram program = program_with(kCdist, cdist_inputs("grad_output"));
  CHECK(port_calls(program, "2.13", "2.14").empty());
  CHECK(inputs_of(program) == cdist_inputs("grad_output"));
}

TEST_CASE("nodes of subgraphs have their own paths") {
  pt2::Node node = call(kCdist, {}, {"y"});
  node.inputs = cdist_inputs("grad");
  pt2::Graph inner = graph_of({"x"}, {std::move(node)}, {"y"});
  pt2::ExportedProgram program =
      program_of(graph_of({"x"},
                          {call("torch.ops.higher_order.wrap",
                                {tensor("x"), dict("g", subgraph("true_graph_0", std::move(inner)))}, {"c"})},
                          {"c"}));
  const std::vector<CallChange> changes = port_calls(program, "2.13", "2.14");
  REQUIRE(changes.size() == 1);
  CHECK(changes[0].path ==
        "graph_module.graph.nodes[0].inputs[1].arg.as_string_to_argument.g.as_graph.graph.nodes[0]");
}

TEST_CASE("an argument that a release does not have is left out if it has its default value, or refused") {
  const auto with = [](Argument value) {
    Inputs inputs;
    for (const char* name : {"query", "key", "value", "attn_bias", "cum_seq_q", "cum_seq_k"}) {
      inputs.push_back(input(name, tensor("x")));
    }
    for (const char* name : {"max_q", "max_k", "compute_log_sumexp"})
      inputs.push_back(input(name, number(1)));
    inputs.push_back(input("seqused_k", std::move(value), ArgumentKind::KEYWORD));
    return program_with(kAttention, std::move(inputs));
  };
  pt2::ExportedProgram program = with(none());
  CHECK(texts(port_calls(program, "2.14", "2.13")) ==
        Names{"done graph_module.graph.nodes[0]: aten._cudnn_attention_forward.default: dropped argument "
              "'seqused_k', which torch 2.13 lacks"});
  CHECK(inputs_of(program).size() == 9);
  program = with(tensor("x"));
  CHECK(texts(port_calls(program, "2.14", "2.13")) ==
        Names{"refused graph_module.graph.nodes[0]: aten._cudnn_attention_forward.default has no argument "
              "'seqused_k' in torch 2.13, but the call passes a value"});
  CHECK(inputs_of(program).size() == 10);
}

TEST_CASE(
    "scan loses the dim and direction of torch 2.6, and a call with others than later releases use is "
    "refused") {
  const auto scan = [](std::int64_t dim, bool is_reversed) {
    Argument reversed;
    reversed.emplace<Argument::as_bool>(is_reversed);
    return program_of(graph_of(
        {"x"}, {call(kScan, {tensor("x"), tensor("x"), tensor("x"), number(dim), reversed, none()}, {"y"})},
        {"y"}));
  };
  pt2::ExportedProgram program = scan(0, false);
  const Inputs before = inputs_of(program);
  CHECK(texts(port_calls(program, "2.6", "2.13")) ==
        Names{"done graph_module.graph.nodes[0]: higher_order.scan: dropped argument 'dim', which torch 2.13 "
              "lacks",
              "done graph_module.graph.nodes[0]: higher_order.scan: dropped argument 'reverse', which torch "
              "2.13 lacks"});
  CHECK(inputs_of(program) == Inputs{before[0], before[1], before[2], before[5]});
  CHECK(texts(port_calls(program, "2.13", "2.6")) ==
        Names{"done graph_module.graph.nodes[0]: higher_order.scan: added argument 'dim', 0, which is new in "
              "torch 2.6",
              "done graph_module.graph.nodes[0]: higher_order.scan: added argument 'reverse', False, which "
              "is new in torch 2.6"});
  CHECK(inputs_of(program) == before);

  // An upgraded program still names the torch version that wrote it.
  port_calls(program, "2.6", "2.13");
  CHECK(port_calls(program, "2.6", "2.13").empty());
  CHECK(port_calls(program, "2.6", "2.6").size() == 2);
  CHECK(inputs_of(program) == before);

  program = scan(1, true);
  CHECK(texts(port_calls(program, "2.6", "2.13")) ==
        Names{"refused graph_module.graph.nodes[0]: higher_order.scan has no argument 'dim' in torch 2.13, "
              "but the call passes 1",
              "refused graph_module.graph.nodes[0]: higher_order.scan has no argument 'reverse' in torch "
              "2.13, but the call passes True"});
  CHECK(inputs_of(program).size() == 6);
}

TEST_CASE("arguments by position do not take each other's names") {
  pt2::ExportedProgram program = program_of(graph_of(
      {"x"}, {call("torch.ops.higher_order.associative_scan", {tensor("x"), tensor("x"), number(0)}, {"y"})},
      {"y"}));
  CHECK(texts(port_calls(program, "2.6", "2.13")) ==
        Names{"refused graph_module.graph.nodes[0]: higher_order.associative_scan needs an argument "
              "'additional_inputs' in torch 2.13",
              "refused graph_module.graph.nodes[0]: higher_order.associative_scan has no argument 'dim' in "
              "torch 2.13, but the call passes 0"});
}

TEST_CASE("while_loop of torch 2.3 had no additional inputs, which are none then") {
  pt2::ExportedProgram program = program_of(graph_of(
      {"x"}, {call("torch.ops.higher_order.while_loop", {tensor("x"), tensor("x"), tensor("x")}, {"y"})},
      {"y"}));
  CHECK(texts(port_calls(program, "2.3", "2.13")) ==
        Names{"done graph_module.graph.nodes[0]: higher_order.while_loop: added argument "
              "'additional_inputs', []: torch 2.13 has no default"});
  REQUIRE(inputs_of(program).size() == 4);
  CHECK(inputs_of(program)[3].name.empty());
  CHECK(port_calls(program, "2.3", "2.13").empty());
}

TEST_CASE("rrelu_with_noise of torch up to 2.5 becomes the operator that returns its noise") {
  const auto rrelu = [](const std::string& result) {
    pt2::Node node = call("torch.ops.aten.rrelu_with_noise.default", {}, {"y"});
    node.inputs = {input("self", tensor("x")), input("noise", tensor("n"))};
    return program_of(graph_of({"x", "n"}, {std::move(node)}, {result}));
  };
  pt2::ExportedProgram program = rrelu("y");
  CHECK(texts(port_calls(program, "2.3", "2.13")) ==
        Names{"done graph_module.graph.nodes[0]: aten.rrelu_with_noise.default: replaced by "
              "rrelu_with_noise_functional, which returns the noise"});
  const pt2::Graph& graph = program.graph_module.graph;
  CHECK(graph.nodes[0].target == "torch.ops.aten.rrelu_with_noise_functional.default");
  CHECK(graph.nodes[0].outputs == std::vector{tensor("y"), tensor("n_1")});
  REQUIRE(graph.tensor_values.contains("n_1"));
  CHECK(*graph.tensor_values.find("n_1") == *graph.tensor_values.find("n"));

  program = rrelu("n");
  CHECK(texts(port_calls(program, "2.3", "2.13")) ==
        Names{"refused graph_module.graph.nodes[0]: aten.rrelu_with_noise.default writes to its "
              "argument 'noise' in torch 2.13, but 'noise' is used later"});
  program = rrelu("y");
  CHECK(port_calls(program, "2.6", "2.13").empty());
}

TEST_CASE("a call that a later release accepts in no form is reported") {
  pt2::ExportedProgram program =
      program_of(graph_of({"x"}, {call("torch.ops.higher_order.cond", {tensor("x")}, {"y"})}, {"y"}));
  CHECK(
      texts(port_calls(program, "2.6", "2.13")) ==
      Names{"refused graph_module.graph.nodes[0]: higher_order.cond has different arguments in torch 2.13"});
  CHECK(port_calls(program, "2.13", "2.6").empty());
}

TEST_CASE("while_loop is refused for torch 2.6, which cannot run what it loads") {
  pt2::ExportedProgram program = program_of(graph_of(
      {"x"}, {call("torch.ops.higher_order.while_loop", {tensor("x"), tensor("x"), none(), none()}, {"y"})},
      {"y"}));
  CHECK(port_calls(program, "2.6", "2.13").empty());
  CHECK(port_calls(program, "2.13", "2.7").empty());
  CHECK(
      texts(port_calls(program, "2.13", "2.6")) ==
      Names{
          "refused graph_module.graph.nodes[0]: higher_order.while_loop takes a tuple as 'carried_inputs' in "
          "torch 2.6, but this release loads tuples as lists",
          "refused graph_module.graph.nodes[0]: higher_order.while_loop takes a tuple as "
          "'additional_inputs' in torch 2.6, but this release loads tuples as lists"});
}

TEST_CASE("the release of a program is the one that it names, or the first of its schema") {
  pt2::ExportedProgram program;
  program.schema_version = {8, 20};
  for (const auto& [recorded, release] :
       {std::pair("2.16.0", "2.16"), std::pair("2.13.0", "2.13"), std::pair("2.6.0+cpu", "2.6"),
        std::pair("2.9.0.dev20250801", "2.9")}) {
    program.torch_version = recorded;
    CHECK(pt2::release_of(program) == release);
  }
  program.torch_version = pt2::ExportedProgram().torch_version;
  program.schema_version = {8, 20};
  CHECK(pt2::release_of(program) == "2.12");
  program.schema_version = {8, 6};
  CHECK(pt2::release_of(program) == "2.6");
  CHECK(pt2::release_of(program, pt2::SchemaVersion{5, 3}) == "2.4");
  CHECK(pt2::release_of(program, pt2::SchemaVersion{1, 0}) == "2.1");
}

TEST_CASE("a downgraded program counts as the release of its schema, not the one that it names") {
  pt2::ExportedProgram program;
  program.torch_version = "2.13.0+cpu";
  program.schema_version = {8, 2};
  CHECK(pt2::release_of(program) == "2.6");
  program.schema_version = {8, 20};
  CHECK(pt2::release_of(program, pt2::SchemaVersion{8, 14}) == "2.9");
  CHECK(pt2::release_of(program) == "2.13");
}

TEST_CASE("calls of functions that a release cannot load are refused by name") {
  const std::string function = "torch._functorch.predispatch._add_batch_dim";
  pt2::ExportedProgram program =
      program_of(graph_of({"x"}, {call(function, {tensor("x"), number(0), number(1)}, {"y"})}, {"y"}));
  for (const std::string release : {"2.9", "2.12"}) {
    CHECK(texts(port_calls(program, "2.13", release)) ==
          Names{"refused graph_module.graph.nodes[0]: " + function + " is not a function that torch " +
                release + " can load"});
  }
  CHECK(port_calls(program, "2.13", "2.14").empty());
}

TEST_CASE("attention of torch 2.2 on the CPU becomes the operator that later releases have there") {
  const auto attention = [](const std::string& result, const std::string& device) {
    pt2::Node node =
        call("torch.ops.aten._scaled_dot_product_flash_attention.default", {}, {"y", "l", "m", "s"});
    node.inputs = {input("query", tensor("x")), input("key", tensor("x")), input("value", tensor("x"))};
    pt2::ExportedProgram program = program_of(graph_of({"x"}, {std::move(node)}, {result}));
    program.graph_module.graph.tensor_values.find("x")->device.type = device;
    return program;
  };
  pt2::ExportedProgram program = attention("y", "cpu");
  CHECK(texts(port_calls(program, "2.2", "2.13")) ==
        Names{"done graph_module.graph.nodes[0]: aten._scaled_dot_product_flash_attention.default: replaced "
              "by _scaled_dot_product_flash_attention_for_cpu"});
  const pt2::Graph& graph = program.graph_module.graph;
  CHECK(graph.nodes[0].target == "torch.ops.aten._scaled_dot_product_flash_attention_for_cpu.default");
  CHECK(graph.nodes[0].outputs == std::vector{tensor("y"), tensor("l")});
  CHECK(graph.tensor_values.contains("l"));
  CHECK_FALSE(graph.tensor_values.contains("m"));

  program = attention("s", "cpu");
  CHECK(texts(port_calls(program, "2.2", "2.13")) ==
        Names{"refused graph_module.graph.nodes[0]: aten._scaled_dot_product_flash_attention.default was "
              "replaced on the CPU in torch 2.3 by an operator without result 3"});
  program = attention("y", "cuda");
  CHECK(port_calls(program, "2.2", "2.13").empty());
  program = attention("y", "cpu");
  CHECK(port_calls(program, "2.3", "2.13").empty());

  program.graph_module.graph.nodes[0].target = "torch.ops.aten._weight_int4pack_mm.default";
  const Names lost = texts(port_calls(program, "2.5", "2.13"));
  REQUIRE_FALSE(lost.empty());
  CHECK(lost.back() ==
        "refused graph_module.graph.nodes[0]: aten._weight_int4pack_mm.default moved to "
        "aten._weight_int4pack_mm_for_cpu.default on the device cpu in torch 2.6");
}
