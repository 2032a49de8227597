#include "pt2/analysis/stats/stats.h"

#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "pt2/analysis/stats/multiply_adds.h"
#include "runtime/pt2/program_builder.h"

using pt2::stats_of;
using pt2::StatsKey;
using pt2::StatsOptions;

namespace {

void set_shape(pt2::Graph& graph, const std::string& name, const std::vector<std::string>& sizes) {
  for (const std::string& size : sizes) graph.tensor_values[name].sizes.push_back(symbolic(size));
}

/// y = mm(x, w); z = view of y; r = relu(z): f32.
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

TEST_CASE("views hold no memory, and keep what they are of alive") {
  // y, then y and r, of which y is not needed by the last node.
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

TEST_CASE("a module has the costs of its calls, of the modules in it, and of subgraphs") {
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

TEST_CASE("operators without a formula are told, and pointwise ones are not among them") {
  pt2::ExportedProgram program = product();
  program.graph_module.graph.nodes[3].target = "torch.ops.aten._softmax.default";
  program.graph_module.graph.nodes[2].target = "torch.ops.mine.thing.default";
  const auto& not_counted = stats_of(program).not_counted;
  CHECK(not_counted.size() == 2);
  CHECK(not_counted.count("aten._softmax.default") == 1);
  CHECK(not_counted.count("mine.thing.default") == 1);
}

TEST_CASE("of two branches the one that takes more counts") {
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
