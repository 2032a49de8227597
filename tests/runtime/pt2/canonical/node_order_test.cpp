#include "pt2/canonical/stages.h"

#include <catch2/catch.hpp>

#include "runtime/pt2/canonical/canonical_texts.h"

TEST_CASE("the normal form orders effects and their operands, then live nodes, then dead nodes") {
  const std::string assert_async = "torch.ops.aten._assert_async.msg";
  const ExportedProgram program = program_of(graph_of(
      {"x"},
      {call(kMul, {tensor("x"), number(7)}, {"unneeded"}), call(kAdd, {tensor("x"), number(1)}, {"second"}),
       call(kAdd, {tensor("x"), number(2)}, {"first"}),
       call("torch.ops.aten.gt.Scalar", {tensor("x")}, {"c"}), call(assert_async, {tensor("c")}, {})},
      {"first", "second"}));
  CHECK(node_texts(graph(canonicalize(program, CanonicalForm::normal))) ==
        Texts{"_1 = torch.ops.aten.gt.Scalar(_0)", "= " + assert_async + "(_1)", "_2 = " + kAdd + "(_0,2)",
              "_3 = " + kAdd + "(_0,1)", "_4 = " + kMul + "(_0,7)"});
}

TEST_CASE("the normal form keeps nodes on the same side of writes to what they read, also through views") {
  const ExportedProgram program = program_of(graph_of(
      {"x"},
      {call("torch.ops.aten.view.default", {tensor("x")}, {"v"}), call(kRelu, {tensor("v")}, {"before"}),
       call("torch.ops.aten.add_.Tensor", {tensor("x"), number(1)}, {"y"}),
       call(kRelu, {tensor("v")}, {"after"})},
      {"after", "before"}));
  const Texts texts = node_texts(graph(canonicalize(program, CanonicalForm::normal)));
  CHECK(texts == Texts{"_1 = torch.ops.aten.view.default(_0)", "_2 = " + kRelu + "(_1)",
                       "_3 = torch.ops.aten.add_.Tensor(_0,1)", "_4 = " + kRelu + "(_1)"});
}

TEST_CASE("an operator with a subgraph that has effects has effects") {
  const Graph draws =
      graph_of({"a"}, {call("torch.ops.aten.bernoulli.default", {tensor("a")}, {"r"})}, {"r"});
  const auto wrapped = [&](const std::string& name, const char* input) {
    return call("torch.ops.higher_order.cond", {subgraph(name + "_graph", draws), tensor(input)}, {name});
  };
  const auto normal = [&](const char* first, const char* second) {
    return json(canonicalize(
        program_of(graph_of({"x", "y"}, {wrapped("a", first), wrapped("b", second)}, {"a", "b"})),
        CanonicalForm::normal));
  };
  CHECK(normal("x", "y") != normal("y", "x"));
}
