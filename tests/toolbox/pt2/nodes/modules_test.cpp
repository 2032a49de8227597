#include "pt2/nodes/modules.h"

#include <catch2/catch.hpp>

#include "runtime/pt2/program_builder.h"
#include "schemagen/base/error.h"

namespace {

pt2::Node in_modules(const std::string& stack, pt2::Node node) {
  if (!stack.empty()) node.metadata["nn_module_stack"] = stack;
  return node;
}

pt2::GraphModule module_of(pt2::Graph graph) {
  pt2::GraphModule module;
  module.graph = std::move(graph);
  return module;
}

using Texts = std::vector<std::string>;
using Numbers = std::vector<std::size_t>;

}  // namespace

TEST_CASE("module calls have nodes, inputs and outputs") {
  pt2::GraphModule module = module_of(graph_of(
      {"w", "x"},
      {in_modules("r,,Net;k,a,Block;l,a.l,Linear", call("linear", {tensor("x"), tensor("w")}, {"y"})),
       in_modules("r,,Net;k,a,Block", call("relu", {tensor("y")}, {"z"})),
       in_modules("r,,Net", call("add", {tensor("z"), tensor("x")}, {"s"})),
       in_modules("r,,Net;k@1,a,Block", call("relu", {tensor("s")}, {"t"}))},
      {"s", "t"}));
  auto& weight = module.signature.input_specs.emplace_back().emplace<pt2::InputSpec::parameter>();
  weight.arg.name = "w";
  weight.parameter_name = "a.l.weight";
  const auto calls = pt2::module_calls(module);
  REQUIRE(calls.size() == 4);
  CHECK(calls[0].type == "Net");
  CHECK(calls[0].nodes == Numbers{0, 1, 2, 3});
  CHECK(calls[0].weights == Texts{"w"});
  CHECK(calls[0].inputs == Texts{"x"});
  CHECK(calls[0].outputs == Texts{"s", "t"});
  CHECK(calls[1].path == "a");
  CHECK(calls[1].parent == 0);
  CHECK(calls[1].nodes == Numbers{0, 1});
  CHECK(calls[1].inputs == Texts{"x"});
  CHECK(calls[1].outputs == Texts{"z"});
  CHECK(calls[2].path == "a.l");
  CHECK(calls[2].parent == 1);
  CHECK(calls[2].depth == 2);
  CHECK(calls[2].weights == Texts{"w"});
  CHECK(calls[2].outputs == Texts{"y"});
  CHECK(calls[3].path == "a");
  CHECK(calls[3].call == 1);
  CHECK(calls[3].nodes == Numbers{3});
}

TEST_CASE("nodes without a stack, or with torch's placeholder, belong to the root") {
  const std::string placeholder = "_empty_nn_module_stack_from_metadata_hook";
  const auto calls = pt2::module_calls(module_of(graph_of(
      {"x"},
      {in_modules("", call("f", {tensor("x")}, {"y"})),
       in_modules(placeholder + "," + placeholder + "," + placeholder, call("f", {tensor("y")}, {"z"}))},
      {"z"})));
  REQUIRE(calls.size() == 1);
  CHECK(calls[0].nodes == Numbers{0, 1});
  CHECK(calls[0].type.empty());
}

TEST_CASE("paths of torch 2.1 and 2.2 are converted to the later form") {
  CHECK(pt2::module_calls(
            module_of(graph_of({}, {in_modules("k,L['self'].b[0].l,T", call("f", {}, {"y"}))}, {})))[1]
            .path == "b.0.l");
}

TEST_CASE("nodes with an empty or malformed stack belong to the root, and the first fault is reported") {
  pt2::GraphModule module = module_of(
      graph_of({},
               {in_modules("r,,Net;k,a,Block", call("f", {}, {"x"})), call("f", {}, {"y"}),
                in_modules("a,b", call("f", {}, {"z"})), in_modules("a,b,c,d", call("f", {}, {"w"}))},
               {}));
  module.graph.nodes[1].metadata["nn_module_stack"] = "";
  std::optional<schemagen::DataError> fault;
  const auto calls = pt2::module_calls(module, &fault);
  REQUIRE(calls.size() == 2);
  CHECK(calls[0].nodes == Numbers{0, 1, 2, 3});
  CHECK(calls[1].nodes == Numbers{0});
  REQUIRE(fault);
  CHECK(std::string(fault->what()) ==
        "graph.nodes[2].metadata.nn_module_stack: expected a module's key,path,type, got 'a,b' (byte 0)");
  CHECK(pt2::module_frames(module.graph.nodes[1]).empty());
}
