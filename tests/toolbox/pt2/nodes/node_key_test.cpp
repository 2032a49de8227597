#include "pt2/nodes/node_key.h"

#include <catch2/catch.hpp>

#include "runtime/pt2/program_builder.h"

using pt2::node_key;

namespace {

const std::string kAdd = "torch.ops.aten.add.Tensor";

}  // namespace

TEST_CASE("a node's key does not depend on names, metadata, keywords or contents of subgraphs") {
  const pt2::Node node =
      call(kAdd, {tensor("x"), dict("k", tensor("y")), subgraph("f", graph_of({"a"}, {}, {"a"}))}, {"z"});
  pt2::Node other =
      call(kAdd, {tensor("p"), dict("k", tensor("p")), subgraph("g", graph_of({}, {}, {}))}, {"q"});
  other.name = "other";
  other.metadata["key"] = "value";
  other.inputs[0].kind = pt2::ArgumentKind::KEYWORD;
  CHECK(node_key(node) == node_key(other));
}

TEST_CASE(
    "a node's key depends on the operator, argument names, literals, and forms of arguments and results") {
  const pt2::Node node = call(kAdd, {tensor("x"), number(1)}, {"z"});
  pt2::Node renamed_argument = node;
  renamed_argument.inputs[0].name = "other";
  for (const pt2::Node& other :
       {call("torch.ops.aten.mul.Tensor", {tensor("x"), number(1)}, {"z"}),
        call(kAdd, {tensor("x"), number(2)}, {"z"}), call(kAdd, {tensor("x")}, {"z"}),
        call(kAdd, {optional_tensor("x"), number(1)}, {"z"}),
        call(kAdd, {tensor("x"), number(1)}, {"z", "w"}),
        call(kAdd, {dict("k", tensor("x")), number(1)}, {"z"}), renamed_argument}) {
    CHECK(node_key(node) != node_key(other));
  }
}
