#include "pt2/operators/operators.h"

#include <catch2/catch.hpp>
#include <string>
#include <thread>
#include <vector>

#include "pt2/operators/operator_table.h"
#include "schemagen/base/error.h"
#include "thrown.h"

using pt2::find_operator;
using pt2::OperatorTag;

TEST_CASE("find_operator() takes a node's target") {
  const pt2::Operator* const add = find_operator("torch.ops.aten.add.Tensor");
  REQUIRE(add != nullptr);
  CHECK(add->target == "torch.ops.aten.add.Tensor");
  CHECK(add->arguments.size() == 3);
  CHECK(pt2::has_tag(*add, OperatorTag::core));
  CHECK(pt2::has_tag(*add, OperatorTag::pointwise));
  CHECK(find_operator("torch.ops.higher_order.cond") != nullptr);
  CHECK(find_operator("_operator.mul") != nullptr);
  CHECK(find_operator("torch.sym_max") != nullptr);
  for (const char* target : {"", "torch.ops.aten.add", "aten::add.Tensor", "torch.ops.my.op.default"}) {
    CHECK(find_operator(target) == nullptr);
  }
}

TEST_CASE("every operator is found, always at the same address") {
  CHECK(pt2::operator_count() > 3000);
  for (std::size_t i = 0; i < pt2::operator_count(); ++i) {
    CHECK(find_operator(pt2::operator_at(i).target) == &pt2::operator_at(i));
  }
}

TEST_CASE("threads get the same operators") {
  std::vector<std::vector<const pt2::Operator*>> found(4);
  std::vector<std::thread> threads;
  for (auto& mine : found) {
    threads.emplace_back([&mine] {
      for (std::size_t i = 0; i < pt2::operator_count(); ++i) mine.push_back(&pt2::operator_at(i));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& mine : found) CHECK(mine == found[0]);
}

TEST_CASE("an operator takes less than 70 bytes") {
  const pt2::OperatorTable& table = pt2::kOperatorTable;
  CHECK(table.operators.offsets[table.count] < 70 * table.count);
}

TEST_CASE("an added operator takes precedence over PyTorch's") {
  pt2::OperatorSet operators;
  operators.add("my::scale(Tensor x, float a=2.0) -> Tensor");
  REQUIRE(operators.find("torch.ops.my.scale.default") != nullptr);
  CHECK(operators.find("torch.ops.aten.add.Tensor") == find_operator("torch.ops.aten.add.Tensor"));
  operators.add("aten::add.Tensor(Tensor x) -> Tensor");
  CHECK(operators.find("torch.ops.aten.add.Tensor")->arguments.size() == 1);
  const pt2::OperatorSet copy = operators;
  operators.add("my::scale(Tensor x) -> Tensor");
  CHECK(copy.find("torch.ops.my.scale.default")->arguments.size() == 2);
  CHECK(operators.find("torch.ops.my.scale.default")->arguments.size() == 1);
}

TEST_CASE("read_operators() reads schemas with extra words") {
  const pt2::OperatorSet operators = pt2::read_operators(
      "# ours\n\n  my::scale(Tensor x, float a=2.0) -> Tensor # pointwise\r\nmy::log(Tensor x) -> () # "
      "has_effects\n"
      "my::norm(Tensor x, Tensor mean) -> Tensor # writes:mean may_return_inputs",
      "ours.txt");
  CHECK(pt2::has_tag(*operators.find("torch.ops.my.scale.default"), OperatorTag::pointwise));
  CHECK(operators.find("torch.ops.my.log.default")->has_effects);
  CHECK(operators.find("torch.ops.my.norm.default")->arguments[1].may_be_written);
  CHECK(operators.find("torch.ops.my.norm.default")->may_return_inputs);
  CHECK(operators.find("torch.ops.aten.relu.default") == find_operator("torch.ops.aten.relu.default"));
}

TEST_CASE("a malformed line is an error with its line number") {
  const auto message = [](const char* text) {
    return error_of<schemagen::DataError>([&] { pt2::read_operators(text, "ours.txt"); });
  };
  const std::string line = "my::f(Tensor x) -> Tensor";
  CHECK_THAT(message("\nmy::f(Tensor) -> Tensor"), Catch::StartsWith("ours.txt:2: "));
  CHECK(message((line + "\n" + line).c_str()) == "ours.txt:2: duplicate operator 'torch.ops.my.f.default'");
  CHECK(message((line + " # writes:y").c_str()) == "ours.txt:1: the operator has no argument 'y'");
  CHECK(
      message((line + " # fast").c_str()) ==
      "ours.txt:1: unknown word 'fast': expected has_effects, may_return_inputs, writes:ARGUMENTS or one of "
      "PyTorch's tags; put comments on separate lines");
}

TEST_CASE(
    "operators of torchvision and torchao are known, and the functions that functorch leaves in graphs") {
  for (const char* target :
       {"torch.ops.torchvision.roi_align.default", "torch.ops.torchao.quantize_affine.default",
        "torch._functorch.predispatch._add_batch_dim", "torch._C._set_grad_enabled"}) {
    CHECK(find_operator(target) != nullptr);
  }
}

TEST_CASE("find_operator() returns the schema of a release") {
  constexpr const char* kTarget = "torch.ops.aten._pdist_backward.default";
  CHECK(find_operator(kTarget, "2.13") == find_operator(kTarget));
  CHECK(find_operator(kTarget, "2.1")->arguments[0].name == "grad");
  CHECK(find_operator(kTarget, "2.14")->arguments[0].name == "grad_output");
  CHECK(find_operator(kTarget, "2.15") == find_operator(kTarget, "2.14"));
  CHECK(find_operator("torch.ops.aten.relu.default", "2.15") == find_operator("torch.ops.aten.relu.default"));
  CHECK(find_operator("torch.ops.higher_order.while_loop", "2.2") == nullptr);
  CHECK(find_operator("torch.ops.aten.cholesky.default", "2.14") == nullptr);
  CHECK(find_operator("torch.ops.my.own.default", "2.13") == nullptr);
}

TEST_CASE("releases are ordered by number") {
  CHECK(pt2::is_earlier_release("2.9", "2.10"));
  CHECK_FALSE(pt2::is_earlier_release("2.10", "2.9"));
  CHECK_FALSE(pt2::is_earlier_release("2.10", "2.10"));
}
