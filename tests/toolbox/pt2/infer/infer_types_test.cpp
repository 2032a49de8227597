#include "pt2/infer/infer_types.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "pt2/graph/index.h"
#include "pt2/graph/walk.h"
#include "pt2/program.h"
#include "pt2/verify/verify.h"
#include "schemagen/base/error.h"

using pt2::ExportedProgram;

namespace {

ExportedProgram load(const std::string& name) {
  return pt2::load_program(PT2_SOURCE_DIR "/tests/data/programs/torch-2.13.0/" + name).program;
}

std::vector<std::string> results(const pt2::Graph& graph) {
  std::vector<std::string> names;
  for (const pt2::Node& node : graph.nodes) {
    pt2::for_each_name(node.outputs, [&](const std::string& name) {
      if (graph.tensor_values.contains(name)) names.push_back(name);
    });
  }
  return names;
}

}  // namespace

TEST_CASE("the types that torch recorded are right, and stay") {
  for (const char* name : {"mlp.json", "gpt2.json", "cond.json", "dynamic.json", "conv_bn_train.json"}) {
    CAPTURE(name);
    ExportedProgram program = load(name);
    CHECK(pt2::infer_types(program).empty());
    CHECK(program == load(name));
  }
}

TEST_CASE("types that were lost are computed again from those of the inputs") {
  for (const char* name : {"mlp.json", "gpt2.json", "conv_bn_train.json"}) {
    CAPTURE(name);
    const ExportedProgram recorded = load(name);
    const pt2::Graph& before = recorded.graph_module.graph;
    ExportedProgram program = recorded;
    pt2::Graph& graph = program.graph_module.graph;
    const std::vector<std::string> names = results(graph);
    REQUIRE(names.size() > 2);
    for (const std::string& result : names) {
      pt2::TensorMeta& meta = graph.tensor_values.at(result);
      meta.dtype = pt2::ScalarType::COMPLEXDOUBLE;
      meta.sizes.clear();
      meta.strides.clear();
    }
    CHECK(pt2::infer_types(program).size() == names.size());
    for (const std::string& result : names) {
      CAPTURE(result);
      CHECK(graph.tensor_values.at(result).dtype == before.tensor_values.at(result).dtype);
      CHECK(graph.tensor_values.at(result).sizes == before.tensor_values.at(result).sizes);
    }
  }
}

TEST_CASE("an input of another shape changes what depends on it, in subgraphs too") {
  const ExportedProgram before = load("cond.json");
  ExportedProgram program = before;
  program.graph_module.graph.tensor_values.at("x").dtype = pt2::ScalarType::DOUBLE;
  const std::vector<std::string> names = pt2::infer_types(program, before);
  CHECK(names == std::vector<std::string>{"x", "sin", "add", "x", "cos", "sub", "getitem"});
}

TEST_CASE("a node that does not accept its inputs is named, and the program stays") {
  const ExportedProgram before = load("mlp.json");
  ExportedProgram program = before;
  pt2::TensorMeta& meta = program.graph_module.graph.tensor_values.at("x");
  meta.sizes.back() = pt2::Size(3).sym_int({});
  const ExportedProgram edited = program;
  CHECK_THROWS_WITH(pt2::infer_types(program, before),
                    "cannot infer the type of 'linear', a result of torch.ops.aten.linear.default: cannot "
                    "multiply shapes [3, 3] and [8, 4]");
  CHECK(program == edited);
}

TEST_CASE("a stated shape that differs for some value of a symbol is stale") {
  const ExportedProgram recorded = load("dynamic.json");
  pt2::Graph graph = recorded.graph_module.graph;
  const pt2::Bindings hints = pt2::hints_of(graph);
  pt2::SizeTexts texts;
  std::size_t count = 0;
  for (const pt2::Node& node : recorded.graph_module.graph.nodes) {
    const pt2::Operator* const op = pt2::find_operator(node.target);
    const std::string* const name = pt2::first_name(node.outputs);
    if (op == nullptr || name == nullptr || !graph.tensor_values.contains(*name)) continue;
    CAPTURE(node.target);
    CHECK(pt2::stale_results(node, *op, graph, hints, {}, texts).empty());
    pt2::TensorMeta& meta = graph.tensor_values.at(*name);
    const pt2::TensorMeta stated = meta;
    meta.sizes[0] = pt2::SymInt(*pt2::Size(meta.sizes[0]).hint(hints));
    if (meta == stated) continue;
    const auto stale = pt2::stale_results(node, *op, graph, hints, {}, texts);
    REQUIRE(stale.size() == 1);
    CHECK(stale[0].name == *name);
    CHECK(stale[0].inferred.sizes == stated.sizes);
    meta = stated;
    ++count;
  }
  CHECK(count > 0);
}

TEST_CASE("types that are missing are inferred, and an operator without a rule is named") {
  ExportedProgram program = load("dynamic.json");
  const ExportedProgram recorded = program;
  program.graph_module.graph.tensor_values.erase(results(program.graph_module.graph).front());
  pt2::infer_types(program);
  CHECK(program.graph_module.graph.tensor_values.size() == recorded.graph_module.graph.tensor_values.size());
  ExportedProgram custom = load("custom_op.json");
  for (const std::string& name : results(custom.graph_module.graph))
    custom.graph_module.graph.tensor_values.erase(name);
  CHECK_THROWS_WITH(pt2::infer_types(custom), Catch::Contains("fxlib.scale"));
}

TEST_CASE("a batch of another size than its vmap is an error") {
  const auto path = PT2_SOURCE_DIR "/tests/data/inference/vmap.json";
  const ExportedProgram before = pt2::load_program(path).program;
  CHECK(pt2::verify(before).empty());
  for (const char* const name : {"x", "y"}) {
    ExportedProgram changed = before;
    pt2::TensorMeta& meta = changed.graph_module.graph.tensor_values.at(name);
    meta.sizes[0].emplace<pt2::SymInt::as_int>(8);
    CHECK_THROWS_WITH(pt2::infer_types(changed, before),
                      Catch::Contains("self: expected shape [3, 4], got [8, 4]"));
    std::string found;
    for (const pt2::Finding& finding : pt2::verify(changed)) found += finding.message + "\n";
    CHECK(found == "torch._functorch.predispatch._add_batch_dim: self: expected shape [3, 4], got [8, 4]\n");
  }
  ExportedProgram changed = before;
  changed.graph_module.graph.nodes[6].inputs[2].arg.emplace<pt2::Argument::as_int>(8);
  CHECK_FALSE(pt2::verify(changed).empty());
}
