#include "pt2/versions/operators/operators.h"

#include <catch2/catch.hpp>
#include <string>
#include <thread>
#include <vector>

#include "pt2/versions/operators/operator_table.h"

using pt2::find_operator;
using pt2::OperatorTag;

TEST_CASE("an operator is found by the target that nodes have") {
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

TEST_CASE("every operator is found, and is the same each time") {
  CHECK(pt2::operator_count() > 3000);
  for (std::size_t i = 0; i < pt2::operator_count(); ++i) {
    CHECK(find_operator(pt2::operator_at(i).target) == &pt2::operator_at(i));
  }
}

TEST_CASE("threads that ask at once get the same operators") {
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

TEST_CASE("an own operator is added in one line, and stands before PyTorch's") {
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
