#include "pt2/stats/stats.h"

#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "pt2/stats/multiply_adds.h"
#include "runtime/pt2/program_builder.h"

using pt2::stats_of;
using pt2::StatsKey;
using pt2::StatsOptions;

namespace {

void set_shape(pt2::Graph& graph, const std::string& name, const std::vector<std::string>& sizes) {
  for (const std::string& size : sizes) graph.tensor_values[name].sizes.push_back(symbolic(size));
}

pt2::ExportedProgram product() {
  std::vector<pt2::Node> nodes;
  nodes.push_back(call("torch.ops.aten.mm.default", {tensor("x"), tensor("w")}, {"y"}));
  nodes.push_back(call("torch.ops.aten.t.default", {tensor("y")}, {"z"}));
  nodes.push_back(call("torch.ops.aten.relu.default", {tensor("z")}, {"r"}));
  nodes.push_back(call("torch.ops.aten.sin.default", {tensor("r")}, {"s"}));
  pt2::Graph graph = graph_of({"x", "w"}, std::move(nodes), {"s"});
  set_shape(graph, "x", {"s0", "4"});
  set_shape(graph, "w", {"4", "8"});
  set_shape(graph, "y", {"s0", "8"});
  for (const char* const name : {"z", "r", "s"}) set_shape(graph, name, {"8", "s0"});
  return program_of(std::move(graph));
}

StatsOptions bound_to(std::int64_t value) {
  StatsOptions options;
  options.bindings["s0"] = value;
  return options;
}

}  // namespace

TEST_CASE(
    "a matrix product takes a multiply-add for each element of the result and of the shared dimension") {
  CHECK(stats_of(product()).multiply_adds.text() == "32*s0");
  CHECK(stats_of(product(), bound_to(3)).multiply_adds.number() == 96);
}

TEST_CASE("views take no memory and keep their base alive") {
  // y, then y and r: the last node does not need y.
  CHECK(stats_of(product(), bound_to(1)).value_bytes.number() == 3 * 32);
  CHECK(stats_of(product(), bound_to(1)).peak_bytes == 2 * 32);
  CHECK(stats_of(product()).peak_bytes == std::nullopt);
}

TEST_CASE("rows are by operator, module or node, the most expensive first") {
  pt2::ExportedProgram program = product();
  program.graph_module.graph.nodes[0].metadata["nn_module_stack"] = "L,,Net;L__fc,fc,torch.nn.Linear";
  StatsOptions options = bound_to(1);
  CHECK(stats_of(program, options).by[0].key == "aten.mm.default");
  options.by = StatsKey::modules;
  const pt2::ProgramStats by_module = stats_of(program, options);
  REQUIRE(by_module.by.size() == 2);
  CHECK(by_module.by[0].key.empty());
  CHECK(by_module.by[0].nodes == 4);
  CHECK(by_module.by[1].key == "fc");
  CHECK(by_module.by[1].nodes == 1);
  options.by = StatsKey::nodes;
  CHECK(stats_of(program, options).by[0].key == "y");
}

TEST_CASE("a module's costs include its calls, inner modules and subgraphs") {
  pt2::ExportedProgram program = product();
  auto& nodes = program.graph_module.graph.nodes;
  nodes[0].metadata["nn_module_stack"] = "L,,Net;L__a,a,Block;L__a__fc,a.fc,torch.nn.Linear";
  nodes[1].metadata["nn_module_stack"] = "L,,Net;L__a,a,Block";
  nodes[2].metadata["nn_module_stack"] = "L,,Net;L__a@1,a,Block";
  nodes[3] =
      call("torch.ops.higher_order.wrap", {subgraph("body", program.graph_module.graph), tensor("r")}, {"s"});
  nodes[3].metadata["nn_module_stack"] = "L,,Net;L__b,b,Block";
  StatsOptions options = bound_to(1);
  options.by = StatsKey::modules;
  std::map<std::string, std::size_t> counts;
  for (const pt2::StatsRow& row : stats_of(program, options).by) counts[row.key] = row.nodes;
  CHECK(counts == std::map<std::string, std::size_t>{{"", 8}, {"a", 3}, {"a.fc", 1}, {"b", 5}});
}

TEST_CASE("operators without a formula are listed, except pointwise ones") {
  pt2::ExportedProgram program = product();
  program.graph_module.graph.nodes[3].target = "torch.ops.aten._softmax.default";
  program.graph_module.graph.nodes[2].target = "torch.ops.mine.thing.default";
  const auto& not_counted = stats_of(program).not_counted;
  CHECK(not_counted.size() == 2);
  CHECK(not_counted.count("aten._softmax.default") == 1);
  CHECK(not_counted.count("mine.thing.default") == 1);
}

TEST_CASE("only the more expensive branch counts") {
  const auto branch = [](bool multiplies) {
    std::vector<pt2::Node> nodes;
    const char* const target = multiplies ? "torch.ops.aten.mm.default" : "torch.ops.aten.add.Tensor";
    nodes.push_back(call(target, {tensor("a"), tensor("a")}, {"b"}));
    pt2::Graph graph = graph_of({"a"}, std::move(nodes), {"b"});
    set_shape(graph, "a", {"2", "2"});
    set_shape(graph, "b", {"2", "2"});
    return graph;
  };
  std::vector<pt2::Node> nodes;
  nodes.push_back(call("torch.ops.higher_order.cond",
                       {tensor("p"), subgraph("t", branch(true)), subgraph("f", branch(false))}, {"y"}));
  CHECK(stats_of(program_of(graph_of({"p"}, std::move(nodes), {"y"}))).multiply_adds.number() == 8);
}

namespace {

pt2::Argument tensors(const std::vector<std::string>& names) {
  pt2::Argument argument;
  auto& all = argument.emplace<pt2::Argument::as_tensors>();
  for (const std::string& name : names) all.emplace_back().name = name;
  return argument;
}

pt2::Argument text(const std::string& value) {
  pt2::Argument argument;
  argument.emplace<pt2::Argument::as_string>(value);
  return argument;
}

pt2::Argument numbers(std::vector<std::int64_t> values) {
  pt2::Argument argument;
  argument.emplace<pt2::Argument::as_ints>(std::move(values));
  return argument;
}

std::string cost_of(const std::string& target, std::vector<pt2::Argument> arguments,
                    const std::vector<std::vector<std::string>>& sizes) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i + 1 < sizes.size(); ++i)
    names.push_back(std::string(1, static_cast<char>('a' + i)));
  std::vector<pt2::Node> nodes;
  nodes.push_back(call(target, std::move(arguments), {"y"}));
  pt2::Graph graph = graph_of(names, std::move(nodes), {"y"});
  for (std::size_t i = 0; i < names.size(); ++i) set_shape(graph, names[i], sizes[i]);
  set_shape(graph, "y", sizes.back());
  const pt2::ProgramStats stats = stats_of(program_of(std::move(graph)));
  return stats.not_counted.empty() ? stats.multiply_adds.text() : "not counted";
}

std::string einsum_cost(const std::string& equation, const std::vector<std::vector<std::string>>& sizes) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i + 1 < sizes.size(); ++i)
    names.push_back(std::string(1, static_cast<char>('a' + i)));
  return cost_of("torch.ops.aten.einsum.default", {text(equation), tensors(names)}, sizes);
}

}  // namespace

TEST_CASE("an einsum costs its matrix products from left to right") {
  CHECK(einsum_cost("bij,bjk->bik", {{"3", "4", "5"}, {"3", "5", "6"}, {"3", "4", "6"}}) == "360");
  CHECK(einsum_cost(" b i j , b j k ", {{"3", "4", "5"}, {"3", "5", "6"}, {"3", "4", "6"}}) == "360");
  CHECK(einsum_cost("...ij,...jk->...ik", {{"s0", "4", "5"}, {"1", "5", "6"}, {"s0", "4", "6"}}) == "120*s0");
  CHECK(einsum_cost("i,i->i", {{"7"}, {"7"}, {"7"}}) == "0");        // elementwise
  CHECK(einsum_cost("ij->i", {{"7", "8"}, {"7"}}) == "0");           // a sum
  CHECK(einsum_cost("ij,k->k", {{"7", "8"}, {"9"}, {"9"}}) == "0");  // a sum, and a product by it
  CHECK(einsum_cost("ij,jk,kl->il", {{"2", "3"}, {"3", "4"}, {"4", "5"}, {"2", "5"}}) == "64");
  CHECK(einsum_cost("ij,jk->ik", {{"2"}, {"3", "4"}, {"2", "4"}}) == "not counted");  // does not fit
}

TEST_CASE("other products cost each element of the result times its summed sizes") {
  CHECK(cost_of("torch.ops.aten.inner.default", {tensor("a"), tensor("b")},
                {{"2", "5"}, {"3", "5"}, {"2", "3"}}) == "30");
  CHECK(cost_of("torch.ops.aten.tensordot.default", {tensor("a"), tensor("b"), numbers({-1}), numbers({0})},
                {{"2", "5"}, {"5", "3"}, {"2", "3"}}) == "30");
  CHECK(cost_of("torch.ops.aten.addmv.default", {tensor("a"), tensor("b"), tensor("c")},
                {{"2"}, {"2", "5"}, {"5"}, {"2"}}) == "10");
  CHECK(cost_of("torch.ops.aten._int_mm.default", {tensor("a"), tensor("b")},
                {{"2", "5"}, {"5", "3"}, {"2", "3"}}) == "30");
  // Three matrices, in the cheaper order.
  CHECK(cost_of("torch.ops.aten.linalg_multi_dot.default", {tensors({"a", "b", "c"})},
                {{"10", "2"}, {"2", "10"}, {"10", "3"}, {"10", "3"}}) == "120");
  CHECK(cost_of("torch.ops.aten._grouped_mm.default", {tensor("a"), tensor("b")},
                {{"4", "2", "5"}, {"4", "5", "3"}, {"4", "2", "3"}}) == "120");
}

TEST_CASE("a recurrent layer costs each weight at each step, without biases") {
  CHECK(cost_of("torch.ops.aten.gru_cell.default", {tensor("a"), tensor("b"), tensor("c"), tensor("d")},
                {{"2", "3"}, {"2", "4"}, {"12", "3"}, {"12", "4"}, {"2", "4"}}) == "168");
}

TEST_CASE("in-place operators cost the same as functional ones") {
  CHECK(cost_of("torch.ops.aten.addmm_.default", {tensor("a"), tensor("b"), tensor("c")},
                {{"2", "3"}, {"2", "5"}, {"5", "3"}, {"2", "3"}}) == "30");
  CHECK(cost_of("torch.ops.aten.add_.Tensor", {tensor("a"), tensor("b")}, {{"2"}, {"2"}, {"2"}}) == "0");
  CHECK(cost_of("torch.ops.aten.cumsum_.default", {tensor("a"), number(0)}, {{"2"}, {"2"}}) == "not counted");
}

TEST_CASE("rows with symbols are sorted by size") {
  std::vector<pt2::Node> nodes;
  nodes.push_back(call("torch.ops.aten.mm.default", {tensor("a"), tensor("b")}, {"y"}));
  nodes.push_back(call("torch.ops.aten.mm.default", {tensor("y"), tensor("c")}, {"z"}));
  pt2::Graph graph = graph_of({"a", "b", "c"}, std::move(nodes), {"z"});
  set_shape(graph, "a", {"s0", "2"});
  set_shape(graph, "b", {"2", "10"});
  set_shape(graph, "c", {"10", "s0"});
  set_shape(graph, "y", {"s0", "10"});
  set_shape(graph, "z", {"s0", "s0"});
  StatsOptions options;
  options.by = StatsKey::nodes;
  const pt2::ProgramStats stats = stats_of(program_of(std::move(graph)), options);
  CHECK(stats.by[0].multiply_adds.text() == "10*s0**2");
  CHECK(stats.by[1].multiply_adds.text() == "20*s0");
}

TEST_CASE("nodes inside vmap are counted for each item of the batch") {
  const auto apply = [](const std::string& name, std::vector<pt2::Argument> inputs,
                        const std::string& result) {
    return call("torch._functorch.predispatch." + name, std::move(inputs), {result});
  };
  std::vector<pt2::Node> nodes;
  nodes.push_back(apply("_add_batch_dim", {tensor("x"), number(0), number(1)}, "a"));
  nodes.push_back(apply("_add_batch_dim", {tensor("a"), number(1), number(2)}, "b"));
  nodes.push_back(call("torch.ops.aten.mv.default", {tensor("w"), tensor("b")}, {"c"}));  // 7 * s0 times
  nodes.push_back(apply("_remove_batch_dim", {tensor("c"), number(2), number(7), number(0)}, "d"));
  nodes.push_back(call("torch.ops.aten.mm.default", {tensor("d"), tensor("w")}, {"e"}));  // s0 times
  nodes.push_back(call("torch.ops.aten.mv.default", {tensor("w"), tensor("v")}, {"f"}));  // once
  nodes.push_back(apply("_remove_batch_dim", {tensor("e"), number(1), number(3), number(0)}, "g"));
  nodes.push_back(call("torch.ops.aten.mm.default", {tensor("h"), tensor("w")}, {"i"}));  // once
  pt2::Graph graph = graph_of({"x", "w", "v", "h"}, std::move(nodes), {"f", "g", "i"});
  set_shape(graph, "x", {"s0", "4", "7"});
  set_shape(graph, "a", {"4", "7"});
  for (const char* const name : {"b", "c", "v", "f"}) set_shape(graph, name, {"4"});
  set_shape(graph, "w", {"4", "4"});
  for (const char* const name : {"d", "e", "h", "i"}) set_shape(graph, name, {"7", "4"});
  set_shape(graph, "g", {"s0", "7", "4"});
  const pt2::ProgramStats stats = stats_of(program_of(std::move(graph)), bound_to(3));
  CHECK(stats.multiply_adds.number() == 3 * 7 * 16 + 3 * 7 * 16 + 16 + 7 * 16);
  CHECK(stats.value_bytes.number() == 4 * (3 * 7 * 4 + 3 * 7 * 4 + 4 + 7 * 4));
  CHECK(stats.not_counted.empty());
}
