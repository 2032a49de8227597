#include "pt2/infer/infer.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "inferred_types.h"
#include "program_files.h"
#include "pt2/infer/rules.h"
#include "pt2/program.h"
#include "schemagen/base/counted.h"

namespace {

namespace fs = std::filesystem;

using Catch::Matchers::Contains;

constexpr const char* kData = PT2_SOURCE_DIR "/tests/data/";

}  // namespace

TEST_CASE("inferred types equal the types that torch recorded") {
  std::size_t count = 0;
  std::set<std::string> unknown;
  for (const char* folder : {"programs/torch-2.12.1", "programs/torch-2.13.0", "programs/torch-2.14.0",
                             "programs/torch-2.15.0", "inference"}) {
    if (!fs::exists(std::string(kData) + folder)) continue;
    for (const fs::path& path : program_files(folder)) {
      const auto program = pt2::load_program(path.string()).program;
      const auto compare = [&](const pt2::Node& node, const auto& inferred, const auto& recorded) {
        CAPTURE(path, node.name, node.target);
        CHECK(inferred == recorded);
        ++count;
      };
      for (const auto& [target, nodes] : for_each_inferred_node(program, compare)) unknown.insert(target);
    }
  }
  CHECK(count > 400);
  CHECK(unknown == std::set<std::string>{"torch.ops.fxlib.scale.default"});
}

namespace {

pt2::TensorMeta floats(std::size_t rank, std::int64_t first) {
  pt2::TensorType type(pt2::ScalarType::FLOAT, std::vector<pt2::Size>(rank, 1));
  if (rank > 0) type.sizes[0] = first;
  return type.meta();
}

void add_input(pt2::Node& node, const char* name, pt2::Argument value) {
  node.inputs.emplace_back();
  node.inputs.back().name = name;
  node.inputs.back().arg = std::move(value);
}

pt2::Argument tensors(const std::vector<std::string>& names) {
  std::vector<pt2::TensorArgument> list;
  for (const std::string& name : names) list.push_back({name});
  return pt2::Argument::of<pt2::Argument::as_tensors>(std::move(list));
}

std::string error_of(const pt2::Node& node, const pt2::Graph& graph) {
  try {
    pt2::infer_results(node, *pt2::find_operator(node.target), graph, {});
  } catch (const schemagen::DataError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("an operator that returns more tensors than the node has outputs is an error") {
  constexpr std::int64_t kHuge = std::int64_t{1} << 33;
  pt2::Graph graph;
  graph.tensor_values.insert("x", floats(3, kHuge));
  for (const auto& [target, name, value] : std::vector<std::tuple<const char*, const char*, std::int64_t>>{
           {"split.Tensor", "split_size", 1},
           {"unsafe_split.Tensor", "split_size", 1},
           {"split_copy.Tensor", "split_size", 1},
           {"chunk.default", "chunks", kHuge},
           {"unsafe_chunk.default", "chunks", kHuge},
           {"tensor_split.sections", "sections", kHuge},
           {"vsplit.int", "sections", kHuge},
           {"unbind.int", "dim", 0}}) {
    CAPTURE(target);
    pt2::Node node;
    node.target = std::string("torch.ops.aten.") + target;
    add_input(node, "self", pt2::Argument::of<pt2::Argument::as_tensor>(pt2::TensorArgument{"x"}));
    add_input(node, name, pt2::Argument::of<pt2::Argument::as_int>(value));
    CHECK_THAT(error_of(node, graph), Contains("8589934592 tensors") && Contains("65536 outputs"));
    node.outputs.push_back(tensors({"a", "b"}));
    CHECK_THAT(error_of(node, graph), Contains("8589934592 tensors") && Contains("2 outputs"));
  }
}

TEST_CASE("a tensor that has more sizes than strides, or fewer, is an error") {
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{3}}) {
    CAPTURE(count);
    pt2::Graph graph;
    graph.tensor_values.insert("x", floats(2, 4));
    graph.tensor_values.at("x").strides.resize(count);
    pt2::Node node;
    for (const char* const target : {"relu.default", "t.default", "sum.default", "clone.default"}) {
      CAPTURE(target);
      node.target = std::string("torch.ops.aten.") + target;
      node.inputs.clear();
      add_input(node, "self", pt2::Argument::of<pt2::Argument::as_tensor>(pt2::TensorArgument{"x"}));
      CHECK_THAT(error_of(node, graph), Contains("2 sizes for " + schemagen::counted(count, "stride")));
    }
  }
}

TEST_CASE("ranks and lists of tensors above the limits are errors") {
  pt2::Graph graph;
  graph.tensor_values.insert("x", floats(65, 1));
  graph.tensor_values.insert("y", floats(64, 1));
  pt2::Node node;
  node.target = "torch.ops.aten.cat.default";
  add_input(node, "tensors", tensors({"x", "x"}));
  CHECK_THAT(error_of(node, graph), Contains("64 dims, got 65"));
  node.inputs[0].arg = tensors(std::vector<std::string>(65537, "y"));
  CHECK_THAT(error_of(node, graph), Contains("65536 tensors, got 65537"));
  node.inputs[0].arg = tensors({"y", "y"});
  CHECK(error_of(node, graph).empty());
  graph.tensor_values.insert("v", floats(1, 3));
  node.target = "torch.ops.aten.einsum.default";
  node.inputs.clear();
  add_input(node, "equation", pt2::Argument::of<pt2::Argument::as_string>("...,a->a..."));
  add_input(node, "tensors", tensors({"y", "v"}));
  CHECK_THAT(error_of(node, graph), Contains("64 dims, got 65"));
}

TEST_CASE("every operator of ATen has a rule, or a reason why not") {
  std::set<std::string> listed;
  std::ifstream file(PT2_SOURCE_DIR "/tests/toolbox/pt2/infer/without_rule.txt");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line.substr(0, line.find('#')));
    for (std::string word; words >> word;) listed.insert(word);
  }
  std::set<std::string> without;
  const std::string aten = "torch.ops.aten.";
  for (std::size_t i = 0; i < pt2::operator_count(); ++i) {
    const pt2::Operator& op = pt2::operator_at(i);
    const bool gives_results = !op.returns.empty() && !pt2::has_tag(op, pt2::OperatorTag::out);
    if (!gives_results || op.target.rfind(aten, 0) != 0 || pt2::has_rule(op)) continue;
    without.insert(op.target.substr(aten.size(), op.target.rfind('.') - aten.size()));
  }
  CHECK(without == listed);
}
