#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "pt2/infer/infer.h"
#include "pt2/operators/operators.h"
#include "schemagen/base/error.h"

using pt2::Argument;
using pt2::ScalarType;
using pt2::TensorType;

namespace {

Argument graph_of(const TensorType& input, const TensorType& output) {
  pt2::Graph graph;
  graph.tensor_values.insert("x", input.meta());
  graph.tensor_values.insert("y", output.meta());
  graph.inputs.push_back(Argument::of<Argument::as_tensor>(pt2::TensorArgument{"x"}));
  graph.outputs.push_back(Argument::of<Argument::as_tensor>(pt2::TensorArgument{"y"}));
  pt2::GraphArgument argument;
  argument.name = "body";
  *argument.graph = std::move(graph);
  return Argument::of<Argument::as_graph>(std::move(argument));
}

Argument operands() {
  return Argument::of<Argument::as_tensors>(std::vector<pt2::TensorArgument>{{"a"}});
}

/// In the graph, `a` is f32[4, 2] and `p` a bool.
TensorType result_of(const std::string& name, std::vector<Argument> inputs) {
  pt2::Graph graph;
  graph.tensor_values.insert("a", TensorType(ScalarType::FLOAT, {4, 2}).meta());
  graph.tensor_values.insert("p", TensorType(ScalarType::BOOL, {}).meta());
  pt2::Node node;
  node.target = "torch.ops.higher_order." + name;
  for (Argument& input : inputs) node.inputs.emplace_back().arg = std::move(input);
  const auto types = pt2::infer_results(node, *pt2::find_operator(node.target), graph, {});
  REQUIRE(types);
  REQUIRE(types->size() == 1);
  return std::get<TensorType>(types->front());
}

const Argument kPredicate = Argument::of<Argument::as_tensor>(pt2::TensorArgument{"p"});
const TensorType kA(ScalarType::FLOAT, {4, 2});
const TensorType kItem(ScalarType::FLOAT, {2});
const TensorType kOther(ScalarType::HALF, {3});

}  // namespace

TEST_CASE("a condition has the type of both branches, which must be the same") {
  const TensorType result =
      result_of("cond", {kPredicate, graph_of(kA, kOther), graph_of(kA, kOther), operands()});
  CHECK(result.dtype == ScalarType::HALF);
  CHECK(result.sizes == kOther.sizes);
  CHECK_THROWS_WITH(result_of("cond", {kPredicate, graph_of(kA, kA), graph_of(kA, kOther), operands()}),
                    "the two subgraphs differ in the type of output 0");
  CHECK_THROWS_WITH(result_of("cond", {kPredicate, kPredicate, graph_of(kA, kA), operands()}),
                    "argument 1: expected a subgraph");
}

TEST_CASE("a loop keeps the types of what it carries") {
  CHECK(result_of("while_loop", {graph_of(kA, kItem), graph_of(kA, kA), operands(), operands()}).sizes ==
        kA.sizes);
  CHECK_THROWS_WITH(
      result_of("while_loop", {graph_of(kA, kItem), graph_of(kA, kItem), operands(), operands()}),
      "the two subgraphs differ in the type of output 0");
}

TEST_CASE("a map stacks the results for the items of the first dim") {
  const TensorType result = result_of("map_impl", {graph_of(kItem, kOther), operands(), operands()});
  CHECK(result.dtype == ScalarType::HALF);
  CHECK(result.sizes == std::vector<pt2::Size>{4, 3});
  CHECK(result.strides == std::vector<pt2::Size>{3, 1});
}

TEST_CASE("a wrapper has the results of its subgraph, with their strides") {
  TensorType turned = kA;
  turned.strides = {1, 4};
  const TensorType result = result_of("invoke_subgraph", {graph_of(kA, turned), operands()});
  CHECK(result.sizes == kA.sizes);
  CHECK(result.strides == turned.strides);
}
