#include "pt2/edit/builder.h"

#include <catch2/catch.hpp>
#include <functional>
#include <string>
#include <vector>

#include "errors.h"
#include "pt2/show/print.h"
#include "pt2/strings/argument_text.h"
#include "schemagen/base/error.h"

using Catch::Contains;
using pt2::GraphBuilder;
using pt2::ProgramBuilder;
using pt2::ScalarType;
using pt2::Size;
using pt2::Value;

namespace {

pt2::Tensor zeros(const std::vector<std::int64_t>& shape) {
  std::int64_t count = 1;
  for (const std::int64_t size : shape) count *= size;
  return pt2::make_tensor(ScalarType::FLOAT, shape, std::string(static_cast<std::size_t>(4 * count), '\0'));
}

std::string error_of(const std::function<void()>& build) {
  try {
    build();
  } catch (const schemagen::UsageError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a program is built of calls, and is sound") {
  ProgramBuilder model;
  const Size batch = model.symbol("s0", 2, 64);
  const Value x = model.input("x", {ScalarType::FLOAT, {batch, 4}});
  const Value weight = model.parameter("linear.weight", zeros({3, 4}));
  const Value mean = model.buffer("norm.running_mean", zeros({3}));
  const Value y = model.call("aten.linear.default", {x, weight});
  model.mutate(mean, model.call("aten.mean.dim", {y, 0}));
  const std::vector<Value> halves = model.call_all("aten.topk.default", {y, 2});
  model.output(model.call("aten.add.Tensor", {halves[0], 1}));
  model.output(halves[1]);
  model.output(model.call("aten.sym_size.int", {x, 0}));
  model.output(nullptr);
  const pt2::BuiltProgram built = model.finish();
  CHECK(errors_of(built.program).empty());
  CHECK(built.tensors.size() == 2);
  CHECK_THAT(pt2::program_text(built.program), Contains("getitem: f32[s0, 2], getitem_1: i64[s0, 2]"));
}

TEST_CASE("values are named as torch names them") {
  ProgramBuilder model;
  const Value x = model.input("x", {ScalarType::FLOAT, {3}});
  CHECK(model.call("aten.add.Tensor", {x, x}).name == "add");
  CHECK(model.call("aten.add.Tensor", {x, x}).name == "add_1");
  CHECK(model.call("aten.sum.default", {x}).name == "sum_1");
  CHECK(model.call("aten.sum.default", {x}).name == "sum_2");
  CHECK(model.call("aten.sym_size.int", {x, 0}).name == "sym_size_int");
  CHECK(model.call_all("aten.split.Tensor", {x, 2})[1].name == "getitem_1");
  CHECK(model.parameter("block.0.Weight", zeros({3})).name == "p_block_0_weight");
  CHECK(model.buffer("count", zeros({3})).name == "b_count");
  CHECK(model.constant("table", zeros({3})).name == "c_table");
}

TEST_CASE("a subgraph sees its own inputs only") {
  ProgramBuilder model;
  const Value x = model.input("x", {ScalarType::FLOAT, {3}});
  const auto type = model.type_of(x);
  CHECK_THAT(error_of([&] {
               model.subgraph("body",
                              [&](GraphBuilder& body) { body.output(body.call("aten.sin.default", {x})); });
             }),
             Contains("this graph has no value 'x'"));
  const pt2::GraphArgument body = model.subgraph("body_0", [&](GraphBuilder& inner) {
    inner.output(inner.call("aten.sin.default", {inner.input("x", type)}));
  });
  CHECK(body.graph->nodes.size() == 1);
}

TEST_CASE("a subgraph takes symbolic ints") {
  ProgramBuilder model;
  const Size batch = model.symbol("s0", 2, 64);
  const pt2::GraphArgument body =
      model.subgraph("body_0", [&](GraphBuilder& inner) { inner.output(inner.input("n", batch * 2)); });
  CHECK(body.graph->outputs == body.graph->inputs);
  const pt2::SymInt* const size = body.graph->sym_int_values.find("n");
  REQUIRE(size != nullptr);
  CHECK(pt2::sym_int_text(*size) == "2*s0");
}

TEST_CASE("mistakes are errors at the call, which leave the graph as it was") {
  ProgramBuilder model;
  const Value x = model.input("x", {ScalarType::FLOAT, {3, 4}});
  const Value w = model.parameter("w", zeros({5, 6}));
  CHECK_THAT(error_of([&] {
               model.call("aten.mm.default", {x, w});
             }),
             Contains("cannot call 'aten.mm.default': cannot multiply shapes [3, 4] and [5, 6]; its schema "
                      "is aten::mm(Tensor self, Tensor mat2) -> Tensor"));
  CHECK_THAT(error_of([&] { model.call("aten.relu.default", {Value{"y"}}); }), Contains("no value 'y'"));
  CHECK_THAT(error_of([&] { model.call("aten.nonzero.default", {x}); }),
             Contains("cannot infer the types of its results; pass them"));
  CHECK_THAT(error_of([&] { model.call("aten.topk.default", {x, 2}); }), Contains("expected one result"));
  CHECK_THAT(error_of([&] { model.input("x", {ScalarType::FLOAT, {}}); }), Contains("the value 'x' already"));
  CHECK_THAT(error_of([&] {
               model.input("1x", {ScalarType::FLOAT, {}});
             }),
             Contains("invalid value name '1x'"));
  CHECK_THAT(error_of([&] {
               model.input("n", {ScalarType::FLOAT, {3, -2}});
             }),
             Contains("the size of dimension 1 is negative: -2"));
  CHECK_THAT(error_of([&] {
               model.call("aten.nonzero.default", {x}, {}, pt2::TensorType(ScalarType::LONG, {-1, 2}));
             }),
             Contains("the size of dimension 0 is negative: -1"));
  CHECK_THAT(error_of([&] { model.symbol("batch", 1); }),
             Contains("expected a symbol such as 's0', got 'batch'"));
  CHECK_THAT(error_of([&] { model.symbol("s0", 4, 3); }), Contains("is negative or empty"));
  CHECK_THAT(error_of([&] { model.mutate(Value{"z"}, x); }), Contains("'z' is not an input"));
  model.output(x);
  CHECK(model.finish().program.graph_module.graph.nodes.empty());
}
