#include "pt2/graph/effects.h"

#include <catch2/catch.hpp>

#include "runtime/pt2/program_builder.h"

using pt2::has_effects;

namespace {

pt2::Node node(const std::string& target) {
  return call(target, {tensor("x"), tensor("y")}, {"z"});
}

}  // namespace

TEST_CASE("in-place, out, random, asserting and unknown operators have effects") {
  for (const char* target :
       {"torch.ops.aten.add_.Tensor", "torch.ops.aten.__iand__.Tensor", "torch.ops.aten.add.out",
        "torch.ops.aten.sum.IntList_out", "torch.ops.aten.max.dim_max", "torch.ops.aten.rand.default",
        "torch.ops.aten.dropout.default", "torch.ops.aten._assert_async.msg",
        "torch.ops.aten.batch_norm.default", "torch.ops.mylib.op.default",
        "torch.ops.higher_order.with_effects", "torch._C._set_grad_enabled", "", "torch.ops."}) {
    INFO(target);
    CHECK(has_effects(node(target)));
  }
}

TEST_CASE("functional operators, Python's operators and functions of symbols have no effects") {
  for (const char* target :
       {"torch.ops.aten.add.Tensor", "torch.ops.aten.__and__.Tensor", "torch.ops.prims.add.default",
        "torch.ops.aten.sym_size.int", "torch.ops.aten.max.dim", "_operator.add", "math.trunc",
        "torch.sym_max", "torch.ops.higher_order.cond",
        "torch.ops.quantized_decomposed.quantize_per_tensor.default"}) {
    INFO(target);
    CHECK_FALSE(has_effects(node(target)));
  }
}

bool writes_input(const pt2::Node& node, std::size_t index, const pt2::OperatorSet& operators = {}) {
  return pt2::writes_input(node, index, operators.find(node.target));
}

bool may_return_view_of(const pt2::Node& node, std::size_t index, const pt2::OperatorSet& operators = {}) {
  return pt2::may_return_view_of(node, index, operators.find(node.target));
}

TEST_CASE(
    "an operator in place writes to its first input, batch norm to its statistics, an unknown one to all") {
  const pt2::Node in_place = node("torch.ops.aten.add_.Tensor");  // inputs without names are positional
  CHECK(writes_input(in_place, 0));
  CHECK_FALSE(writes_input(in_place, 1));
  pt2::Node norm = node("torch.ops.aten.batch_norm.default");
  norm.inputs[1].name = "running_mean";
  CHECK_FALSE(writes_input(norm, 0));
  CHECK(writes_input(norm, 1));
  CHECK_FALSE(writes_input(node("torch.ops.aten.dropout.default"), 0));
  CHECK(writes_input(node("torch.ops.mylib.op.default"), 1));
}

TEST_CASE("views, in-place and unknown operators may return their inputs") {
  CHECK(may_return_view_of(node("torch.ops.aten.view.default"), 0));
  CHECK(may_return_view_of(node("torch.ops.aten.add_.Tensor"), 0));
  CHECK(may_return_view_of(node("torch.ops.mylib.op.default"), 0));
  CHECK_FALSE(may_return_view_of(node("torch.ops.aten.add_.Tensor"), 1));
  CHECK_FALSE(may_return_view_of(node("torch.ops.aten.add.Tensor"), 0));
}

TEST_CASE("a Python function that sets a mode or is unknown is a barrier") {
  CHECK(pt2::is_barrier(node("torch._C._set_grad_enabled")));
  CHECK(pt2::is_barrier(node("torch._functorch.predispatch._vmap_increment_nesting")));
  CHECK(pt2::is_barrier(node("torch._functorch.new_mode")));
  CHECK_FALSE(pt2::is_barrier(node("torch._functorch.predispatch._add_batch_dim")));
  CHECK_FALSE(pt2::is_barrier(node("_operator.add")));
  CHECK_FALSE(pt2::is_barrier(node("torch.ops.mylib.op.default")));
}

TEST_CASE("a registered operator has the effects in its schema") {
  pt2::OperatorSet operators;
  operators.add("my::scale(Tensor x, Tensor(a!) state) -> Tensor");
  operators.add("my::pure(Tensor(a) x, Tensor y) -> Tensor(a)");
  operators.add("my::log(Tensor x) -> ()").has_effects = true;
  const pt2::Node writes = node("torch.ops.my.scale.default");
  CHECK(has_effects(writes, operators));
  CHECK_FALSE(writes_input(writes, 0, operators));
  CHECK(writes_input(writes, 1, operators));
  const pt2::Node pure = node("torch.ops.my.pure.default");
  CHECK_FALSE(has_effects(pure, operators));
  CHECK(may_return_view_of(pure, 0, operators));
  CHECK_FALSE(may_return_view_of(pure, 1, operators));
  CHECK(has_effects(node("torch.ops.my.log.default"), operators));
}

TEST_CASE("a higher-order operator has the effects of its subgraphs") {
  pt2::Graph branch;
  branch.nodes.push_back(call("torch.ops.my.pure.default", {tensor("x")}, {"z"}));
  const pt2::Node cond = call("torch.ops.higher_order.cond", {tensor("p"), subgraph("f", branch)}, {"z"});
  pt2::OperatorSet operators;
  CHECK(has_effects(cond, operators));
  operators.add("my::pure(Tensor x) -> Tensor");
  CHECK_FALSE(has_effects(cond, operators));
}

TEST_CASE("all variants of batch norm with statistics may write to them") {
  for (const char* target :
       {"torch.ops.aten.batch_norm.default", "torch.ops.aten.native_batch_norm.default",
        "torch.ops.aten.native_batch_norm.out", "torch.ops.aten.instance_norm.default"}) {
    INFO(target);
    pt2::Node norm = node(target);
    norm.inputs[1].name = "running_var";
    CHECK(has_effects(norm));
    CHECK(writes_input(norm, 1));
  }
}
