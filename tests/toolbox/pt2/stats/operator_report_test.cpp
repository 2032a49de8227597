#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "pt2/stats/stats.h"
#include "runtime/pt2/program_builder.h"
#include "schemagen/base/error.h"
#include "thrown.h"

using pt2::operator_report;
using pt2::OperatorUse;
using pt2::ScalarType;

namespace {

using Names = std::vector<std::string>;
using Dtypes = std::vector<ScalarType>;

pt2::ExportedProgram calls(const std::vector<std::pair<std::string, std::string>>& targets) {
  std::vector<pt2::Node> nodes;
  for (const auto& [target, result] : targets) nodes.push_back(call(target, {tensor("x")}, {result}));
  return program_of(graph_of({"x"}, std::move(nodes), {targets.back().second}));
}

Names missing(const pt2::ExportedProgram& program, const pt2::OperatorSupport& support) {
  Names found;
  for (const OperatorUse& use : operator_report(program, support)) {
    if (!use.missing.empty()) found.push_back(use.target + " " + use.missing);
  }
  return found;
}

Names targets_of(const std::vector<OperatorUse>& uses) {
  Names targets;
  for (const OperatorUse& use : uses) targets.push_back(use.target);
  return targets;
}

/// y = relu(x), and cond(x, {z = relu(x), w = sin(z)}).
pt2::ExportedProgram with_subgraph() {
  pt2::Graph inner = graph_of({"x"},
                              {call("torch.ops.aten.relu.default", {tensor("x")}, {"z"}),
                               call("torch.ops.aten.sin.default", {tensor("z")}, {"w"})},
                              {"w"});
  return program_of(graph_of(
      {"x"},
      {call("torch.ops.aten.relu.default", {tensor("x")}, {"y"}),
       call("torch.ops.higher_order.cond", {tensor("x"), subgraph("true_graph_0", std::move(inner))}, {"c"})},
      {"c"}));
}

}  // namespace

TEST_CASE("operators are counted in all graphs, the most frequent first") {
  const std::vector<OperatorUse> uses = operator_report(with_subgraph());
  CHECK(targets_of(uses) ==
        Names{"torch.ops.aten.relu.default", "torch.ops.aten.sin.default", "torch.ops.higher_order.cond"});
  CHECK(uses[0].nodes == 2);
  CHECK(uses[0].missing.empty());
}

TEST_CASE("an operator has the distinct dtypes of its tensors") {
  pt2::ExportedProgram program = calls({{"torch.ops.aten.add.Tensor", "a"},
                                        {"torch.ops.aten.add.Tensor", "b"},
                                        {"torch.ops.aten.add.Tensor", "c"}});
  pt2::Graph& graph = program.graph_module.graph;
  graph.nodes[1].inputs.push_back({"", tensor("b"), pt2::ArgumentKind::POSITIONAL});
  graph.nodes[1].inputs.push_back({"", tensor("x"), pt2::ArgumentKind::POSITIONAL});
  graph.nodes[1].inputs.push_back({"", tensor("nowhere"), pt2::ArgumentKind::POSITIONAL});
  graph.tensor_values["b"].dtype = ScalarType::LONG;
  const std::vector<OperatorUse> uses = operator_report(program);
  REQUIRE(uses.size() == 1);
  REQUIRE(uses[0].dtypes.size() == 2);
  CHECK(uses[0].dtypes[0].nodes == 2);
  CHECK(uses[0].dtypes[0].arguments == Dtypes{ScalarType::FLOAT});
  CHECK(uses[0].dtypes[1].nodes == 1);
  CHECK(uses[0].dtypes[1].arguments == Dtypes{ScalarType::FLOAT, ScalarType::LONG});
  CHECK(uses[0].dtypes[1].results == Dtypes{ScalarType::LONG});
}

TEST_CASE("a release of torch lacks later, removed and foreign operators") {
  const pt2::ExportedProgram program = calls({{"torch.ops.aten._linalg_eigvals.default", "a"},
                                              {"torch.ops.aten.cholesky.default", "b"},
                                              {"torch.ops.my.own.default", "c"},
                                              {"torch.ops.aten.relu.default", "d"}});
  CHECK(missing(program, pt2::supported_by_torch("2.2")) ==
        Names{"torch.ops.aten._linalg_eigvals.default was added in torch 2.3",
              "torch.ops.my.own.default is unknown"});
  CHECK(missing(program, pt2::supported_by_torch("2.10")) == Names{"torch.ops.my.own.default is unknown"});
  CHECK(missing(program, pt2::supported_by_torch("2.14")) ==
        Names{"torch.ops.aten.cholesky.default last existed in torch 2.13",
              "torch.ops.my.own.default is unknown"});
}

TEST_CASE("a release lacks an operator that it moved to another one for the device") {
  pt2::ExportedProgram program = calls({{"torch.ops.aten._weight_int4pack_mm.default", "a"}});
  pt2::Graph& graph = program.graph_module.graph;
  graph.tensor_values["x"].device.type = "cpu";
  graph.nodes[0].inputs.clear();
  for (const auto& [name, value] :
       {std::pair("self", tensor("x")), std::pair("mat2", tensor("x")), std::pair("qGroupSize", number(1)),
        std::pair("qScaleAndZeros", tensor("x"))}) {
    graph.nodes[0].inputs.push_back({name, value, pt2::ArgumentKind::POSITIONAL});
  }
  CHECK(missing(program, pt2::supported_by_torch("2.6")) ==
        Names{"torch.ops.aten._weight_int4pack_mm.default moved to aten._weight_int4pack_mm_for_cpu.default "
              "on the device cpu in torch 2.6"});
  CHECK(missing(program, pt2::supported_by_torch("2.5")).empty());
  graph.tensor_values["x"].device.type = "cuda";
  CHECK(missing(program, pt2::supported_by_torch("2.13")).empty());
}

TEST_CASE("arguments are checked against the release's schema") {
  pt2::ExportedProgram program = calls({{"torch.ops.aten.relu.default", "a"}});
  program.graph_module.graph.nodes[0].inputs.push_back({"other", number(1), pt2::ArgumentKind::KEYWORD});
  CHECK(missing(program, pt2::supported_by_torch("2.6")) ==
        Names{"torch.ops.aten.relu.default has different arguments in that release: node 'a' "
              "(torch.ops.aten.relu.default): "
              "argument 'other' is not in the operator's schema"});
  pt2::Node& node = program.graph_module.graph.nodes[0];
  node.target = "torch.ops.aten._pdist_backward.default";
  node.inputs.clear();
  for (const char* name : {"grad_output", "self", "p", "pdist"}) {
    node.inputs.push_back({name, number(1), pt2::ArgumentKind::POSITIONAL});
  }
  CHECK(missing(program, pt2::supported_by_torch("2.13")).size() == 1);
  CHECK(missing(program, pt2::supported_by_torch("2.14")).empty());
}

TEST_CASE("unknown releases are errors") {
  for (const char* const release : {"2.0", "2.16", "2", "", "2.6.0", "02.6", "3.1"}) {
    CHECK(error_of<schemagen::UsageError>([&] { pt2::supported_by_torch(release); }) ==
          "unknown torch release '" + std::string(release) + "': expected 2.1 to 2.15");
  }
}

TEST_CASE("Core ATen supports tagged operators, functions and higher-order operators") {
  const pt2::ExportedProgram program = calls({{"torch.ops.aten.relu.default", "a"},
                                              {"torch.ops.aten.linear.default", "b"},
                                              {"torch.ops.higher_order.cond", "c"},
                                              {"_operator.add", "d"},
                                              {"torch.ops.my.own.default", "e"}});
  CHECK(missing(program, pt2::supported_by_core_aten()) ==
        Names{"torch.ops.aten.linear.default is not in Core ATen",
              "torch.ops.my.own.default is not in Core ATen"});
}

TEST_CASE("a list accepts any spelling of names, and all overloads of a name without one") {
  const pt2::ExportedProgram program = calls({{"torch.ops.aten.add.Tensor", "a"},
                                              {"torch.ops.aten.add.Scalar", "b"},
                                              {"torch.ops.aten.mul.Tensor", "c"},
                                              {"torch.ops.my.own.default", "d"},
                                              {"torch.ops.higher_order.cond", "e"},
                                              {"_operator.add", "f"}});
  const auto in = [&](const char* list) {
    return missing(program, pt2::supported_by_list(list, "names.txt"));
  };
  CHECK(in("torch.ops.aten.add.Tensor\naten::mul\n\tmy.own.default # ours\r\n\n# "
           "all\nhigher_order::cond\n_operator.add") == Names{"torch.ops.aten.add.Scalar is not listed"});
  CHECK(in("aten.add\naten.mul.Scalar\nmy::own\n_operator.add\nhigher_order.cond\n") ==
        Names{"torch.ops.aten.mul.Tensor is not listed"});
  for (const char* const empty : {"", "\n# aten.add\n"}) {
    CHECK(error_of<schemagen::DataError>([&] { in(empty); }) ==
          "names.txt: expected names of operators, got none");
  }
}

TEST_CASE("names in a list that no operator can have are reported with the name that was meant") {
  const auto unknown = [](const std::string& name) {
    const auto found = pt2::unknown_names("# all\naten.add\n" + name, "names.txt");
    if (found.empty()) return std::string();
    CHECK(found.size() == 1);
    CHECK(found.front().first == 3);
    return found.front().second;
  };
  for (const auto& [name, meant] :
       std::vector<std::pair<std::string, std::string>>{{"mm.default", "aten.mm.default"},
                                                        {"add.Tensor", "aten.add.Tensor"},
                                                        {"aten.add.Tesnor", "aten.add.Tensor"},
                                                        {"aten.lniear", "aten.linear"},
                                                        {"torch.ops.aten.sofmax.int", "aten.softmax.int"},
                                                        {"atne::mul.Tensor", "aten.mul.Tensor"},
                                                        {"prims.relu", "aten.relu"}}) {
    CHECK(unknown(name).find(", did you mean '" + meant + "'?") != std::string::npos);
  }
  CHECK(unknown("aten.nothing_like_this") == "unknown operator 'aten.nothing_like_this'");
  for (const char* const known : {"aten.mm", "aten::mm", "torch.ops.aten.mm.default", "higher_order.cond",
                                  "_operator.add", "torch.sym_max", "math.floor", "mine.scale.default"}) {
    CHECK(unknown(known).empty());
  }
}

TEST_CASE("malformed lines of a list are errors with their line number") {
  for (const char* const line : {"aten.add, aten.mul", "aten::add(Tensor self) -> Tensor", "aten.*", "aten.",
                                 ".add", "aten..add", "add*"}) {
    CHECK(error_of<schemagen::DataError>([&] {
            pt2::supported_by_list("# all\naten.add\n" + std::string(line), "names.txt");
          }) == "names.txt:3: expected the name of an operator, such as aten.add.Tensor, got '" +
                    std::string(line) + "'");
  }
  CHECK(error_of<schemagen::DataError>([] { pt2::supported_by_list("mm", "names.txt"); }) ==
        "names.txt:1: expected the name of an operator, such as aten.add.Tensor, got 'mm', did you mean "
        "'aten.mm'?");
}

TEST_CASE("missing nodes are named with their subgraphs") {
  pt2::ExportedProgram program = with_subgraph();
  program.graph_module.graph.nodes[1].outputs.clear();
  program.graph_module.graph.nodes[1].name = "branch";
  const std::vector<OperatorUse> uses =
      operator_report(program, pt2::supported_by_list("aten.sin", "names.txt"));
  CHECK(uses[0].missing_nodes == Names{"y", "branch/true_graph_0/z"});
  CHECK(uses[1].missing_nodes.empty());
  CHECK(uses[2].missing_nodes == Names{"branch"});
}

TEST_CASE("custom support is queried for each node") {
  const auto no_longs = [](const pt2::Node& node, const pt2::Graph&) {
    return node.outputs[0].get<pt2::Argument::as_tensor>().name == "b" ? "is too long" : "";
  };
  const std::vector<OperatorUse> uses = operator_report(
      calls({{"torch.ops.aten.relu.default", "a"}, {"torch.ops.aten.relu.default", "b"}}), no_longs);
  CHECK(uses[0].nodes == 2);
  CHECK(uses[0].missing == "is too long");
  CHECK(uses[0].missing_nodes == Names{"b"});
}

TEST_CASE("operators have torch's decompositions") {
  const std::vector<OperatorUse> uses = operator_report(calls({{"torch.ops.aten.add_.Tensor", "a"},
                                                               {"torch.ops.aten.relu.default", "b"},
                                                               {"torch.ops.my.own.default", "c"}}));
  REQUIRE(targets_of(uses) ==
          Names{"torch.ops.aten.add_.Tensor", "torch.ops.aten.relu.default", "torch.ops.my.own.default"});
  REQUIRE(uses[0].decomposes_to);
  CHECK(*uses[0].decomposes_to == Names{"torch.ops.aten.add.Tensor"});
  CHECK_FALSE(uses[1].decomposes_to);
  CHECK_FALSE(uses[2].decomposes_to);
}
