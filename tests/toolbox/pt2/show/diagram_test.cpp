#include "pt2/show/diagram.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cctype>
#include <map>
#include <string>

#include "pt2/program.h"

using pt2::Diagram;
using pt2::DiagramGroup;
using pt2::DiagramNode;

namespace {

pt2::ExportedProgram fixture(const std::string& name) {
  return pt2::load_program(PT2_SOURCE_DIR "/tests/data/programs/torch-2.13.0/" + name).program;
}

const DiagramNode& node_of(const Diagram& view, const std::string& name) {
  const auto found = std::find_if(view.nodes.begin(), view.nodes.end(),
                                  [&](const DiagramNode& node) { return node.name == name; });
  REQUIRE(found != view.nodes.end());
  return *found;
}

std::string path_of(const Diagram& view, const DiagramNode& node) {
  std::string path;
  for (std::size_t group = node.group; group != 0; group = view.groups[group].parent) {
    path = "/" + view.groups[group].name + path;
  }
  return path;
}

pt2::ExportedProgram chain(const std::vector<std::string>& targets) {
  pt2::ExportedProgram program;
  pt2::Graph& graph = program.graph_module.graph;
  const auto tensor = [](const std::string& name) {
    pt2::Argument argument;
    argument.emplace<pt2::Argument::as_tensor>().name = name;
    return argument;
  };
  std::string last = "x";
  graph.inputs.push_back(tensor(last));
  for (std::size_t i = 0; i < targets.size(); ++i) {
    pt2::Node node;
    node.target = "torch.ops.aten." + targets[i] + ".default";
    node.inputs.push_back({"self", tensor(last), pt2::ArgumentKind::POSITIONAL});
    last = "v" + std::to_string(i);
    node.outputs.push_back(tensor(last));
    graph.nodes.push_back(std::move(node));
  }
  graph.outputs.push_back(tensor(last));
  return program;
}

std::size_t fullest(const Diagram& view) {
  std::map<std::pair<std::size_t, bool>, std::size_t> counts;
  for (std::size_t i = 1; i < view.groups.size(); ++i) ++counts[{view.groups[i].parent, false}];
  for (const DiagramNode& node : view.nodes) ++counts[{node.group, node.kind == DiagramNode::Kind::weight}];
  std::size_t most = 0;
  for (const auto& [group, count] : counts) most = std::max(most, count);
  return most;
}

}  // namespace

TEST_CASE("nodes and weights are in their modules") {
  const Diagram view = pt2::diagram_of(fixture("mlp.json"));
  CHECK(path_of(view, node_of(view, "linear")) == "/l1");
  CHECK(path_of(view, node_of(view, "p_l2_weight")) == "/l2");
  CHECK(node_of(view, "p_l2_weight").target == "l2.weight");
  CHECK(path_of(view, node_of(view, "relu")).empty());
  CHECK(view.groups[node_of(view, "linear").group].type == "torch.nn.modules.linear.Linear");
  CHECK(view.remarks.empty());
}

TEST_CASE("a weight used by several modules is in their common group") {
  const Diagram view = pt2::diagram_of(fixture("shared_weights.json"));
  CHECK(path_of(view, node_of(view, "p_o_weight")).empty());
  CHECK(path_of(view, node_of(view, "p_e_weight")) == "/e");
}

TEST_CASE("unused inputs and weights are in their modules or in a separate group") {
  pt2::ExportedProgram program = fixture("mlp.json");
  pt2::GraphModule& module = program.graph_module;
  const auto add_buffer = [&](const std::string& name, const std::string& target) {
    pt2::Argument argument;
    argument.emplace<pt2::Argument::as_tensor>().name = name;
    module.graph.inputs.push_back(argument);
    pt2::InputToBufferSpec& buffer =
        module.signature.input_specs.emplace_back().emplace<pt2::InputSpec::buffer>();
    buffer.arg.name = name;
    buffer.buffer_name = target;
  };
  add_buffer("of_module", "l1.count");
  add_buffer("of_inner_module", "l2.inner.count");
  add_buffer("of_no_module", "other.count");
  add_buffer("of_root", "count");
  const Diagram view = pt2::diagram_of(program);
  CHECK(path_of(view, node_of(view, "of_module")) == "/l1");
  CHECK(path_of(view, node_of(view, "of_inner_module")) == "/l2");
  CHECK(path_of(view, node_of(view, "of_no_module")) == "/not used");
  const DiagramGroup& group = view.groups[node_of(view, "of_root").group];
  CHECK(group.kind == DiagramGroup::Kind::unused);
  CHECK(path_of(view, node_of(view, "x")).empty());
}

TEST_CASE("omitted arguments have defaults, and values have producers") {
  const Diagram view = pt2::diagram_of(fixture("cond.json"));
  const DiagramNode& add = node_of(view, "getitem/true_graph_0/add");
  REQUIRE(add.arguments.size() == 3);
  CHECK(add.arguments[2].name == "alpha");
  CHECK(add.arguments[2].text == "1");
  CHECK(add.arguments[2].is_default);
  REQUIRE(add.arguments[0].values.size() == 1);
  const std::size_t producer = view.values[add.arguments[0].values[0]].producer;
  CHECK(view.nodes[producer].name == "getitem/true_graph_0/sin");
  CHECK(path_of(view, add) == "/true_graph_0");
  CHECK(node_of(view, "getitem").subgraphs.size() == 2);
}

TEST_CASE("without modules, repeated nodes are grouped") {
  std::vector<std::string> targets = {"exp"};
  for (std::size_t i = 0; i < 6; ++i) targets.insert(targets.end(), {"sin", "cos", "relu", "neg", "abs"});
  const Diagram view = pt2::diagram_of(chain(targets));
  CHECK(path_of(view, node_of(view, "v0")).empty());
  CHECK(path_of(view, node_of(view, "v1")) == "/6 \xc3\x97 sin, cos/sin, cos (1 of 6)");
  CHECK(path_of(view, node_of(view, "v30")) == "/6 \xc3\x97 sin, cos/sin, cos (6 of 6)");
}

TEST_CASE("no group has too many boxes for layout") {
  for (const std::size_t count : std::vector<std::size_t>{49, 1000, 5000, 30000}) {
    const Diagram view = pt2::diagram_of(chain(std::vector<std::string>(count, "relu")));
    CHECK(view.nodes.size() == count + 2);
    CHECK(fullest(view) <= 48);
  }
}

TEST_CASE("equal neighbours in a list of modules are one group, others and nodes between them are not") {
  pt2::ExportedProgram program = chain({"sin", "relu", "relu", "relu", "relu", "cos", "relu"});
  std::vector<pt2::Node>& nodes = program.graph_module.graph.nodes;
  nodes[0].metadata["nn_module_stack"] = "L__self__,,m.Model";
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    const std::string name = "layers." + std::to_string(i - 1);
    nodes[i].metadata["nn_module_stack"] =
        "L__self__,,m.Model;L__self___" + name + "," + name + "," + (i == 4 ? "m.Other" : "m.Layer");
  }
  const Diagram view = pt2::diagram_of(program);
  CHECK(path_of(view, node_of(view, "v0")) == "");
  CHECK(path_of(view, node_of(view, "v1")) ==
        "/layers 0\xe2\x80\x93"
        "2: 3 \xc3\x97 Layer/layers.0");
  CHECK(path_of(view, node_of(view, "v3")) ==
        "/layers 0\xe2\x80\x93"
        "2: 3 \xc3\x97 Layer/layers.2");
  CHECK(path_of(view, node_of(view, "v4")) == "/layers.3");  // another class
  CHECK(path_of(view, node_of(view, "v5")) == "/layers.4");  // another operator
}

TEST_CASE("a stack has the name of its modules without their numbers") {
  for (const auto& [list, name] :
       std::map<std::string, std::string>{{"block", "block 0\xe2\x80\x93"},
                                          {"encoder.encoder_layer_", "encoder_layer 0\xe2\x80\x93"},
                                          {"", "0\xe2\x80\x93"}}) {
    pt2::ExportedProgram program = chain({"relu", "relu", "relu"});
    std::vector<pt2::Node>& nodes = program.graph_module.graph.nodes;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const std::string module = list + std::to_string(i);
      nodes[i].metadata["nn_module_stack"] =
          "L__self__,,m.Model;L__self___" + module + "," + module + ",m.Layer";
    }
    const Diagram view = pt2::diagram_of(program);
    CHECK(path_of(view, node_of(view, "v0")) == "/" + name + "2: 3 \xc3\x97 Layer/" + list + "0");
  }
}

TEST_CASE("a stack contains all its modules, however many") {
  pt2::ExportedProgram program = chain(std::vector<std::string>(300, "relu"));
  std::vector<pt2::Node>& nodes = program.graph_module.graph.nodes;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::string name = "layers." + std::to_string(i);
    nodes[i].metadata["nn_module_stack"] = "L__self__,,m.Model;L__self___" + name + "," + name + ",m.Layer";
  }
  const Diagram view = pt2::diagram_of(program);
  CHECK(path_of(view, node_of(view, "v299")) ==
        "/layers 0\xe2\x80\x93"
        "299: 300 \xc3\x97 Layer/layers.299");
}

TEST_CASE("nodes without a module are in the module of their users") {
  pt2::ExportedProgram program = chain({"quantize", "dequantize", "relu", "quantize"});
  std::vector<pt2::Node>& nodes = program.graph_module.graph.nodes;
  nodes[0].metadata["nn_module_stack"] = "L__self__,,torch.export._trace.f.<locals>.Wrapper";
  nodes[2].metadata["nn_module_stack"] = "L__self__,,m.Model;L__self___act,act,m.Relu";
  const Diagram view = pt2::diagram_of(program);
  CHECK(path_of(view, node_of(view, "v0")) == "/act");
  CHECK(path_of(view, node_of(view, "v1")) == "/act");
  CHECK(path_of(view, node_of(view, "v3")).empty());  // used by the output
}

TEST_CASE("many outputs of one kind are in one group, and few are not") {
  for (const std::size_t count : std::vector<std::size_t>{8, 9}) {
    pt2::ExportedProgram program = chain({"relu"});
    pt2::GraphModule& module = program.graph_module;
    module.graph.outputs.assign(count, module.graph.outputs[0]);
    module.signature.output_specs.resize(count);
    for (pt2::OutputSpec& spec : module.signature.output_specs)
      spec.emplace<pt2::OutputSpec::gradient_to_parameter>().parameter_name = "w";
    const Diagram view = pt2::diagram_of(program);
    CHECK(path_of(view, node_of(view, "output 0")) == (count == 8 ? "" : "/gradients of parameters"));
  }
}

TEST_CASE("groups of repeats are named after their nodes") {
  std::vector<std::string> targets;
  for (std::size_t i = 0; i < 400; ++i)
    targets.insert(targets.end(), {"sin", "cos", i % 20 == 0 ? "exp" : "neg", i % 7 == 0 ? "abs" : "tan"});
  const Diagram view = pt2::diagram_of(chain(targets));
  for (const DiagramGroup& group : view.groups) {
    if (group.kind == DiagramGroup::Kind::run)
      CHECK(std::isalpha(static_cast<unsigned char>(group.name.front())));
  }
}

TEST_CASE("inputs and outputs without a name have no values") {
  pt2::ExportedProgram program = chain({"relu"});
  pt2::Graph& graph = program.graph_module.graph;
  for (std::size_t i = 0; i < 100; ++i) {
    graph.inputs.emplace_back().emplace<pt2::Argument::as_custom_obj>();
    graph.outputs.emplace_back().emplace<pt2::Argument::as_tensor>();
  }
  const Diagram view = pt2::diagram_of(program);
  CHECK(view.values.size() == 2);
  for (const DiagramNode& node : view.nodes) {
    for (const std::size_t value : node.values) CHECK(value < 2);
    for (const pt2::DiagramArgument& argument : node.arguments) {
      for (const std::size_t value : argument.values) CHECK(value < 2);
    }
  }
}

TEST_CASE("groups of nodes with long names have short names") {
  pt2::ExportedProgram program = chain(std::vector<std::string>(1000, "relu"));
  pt2::Graph& graph = program.graph_module.graph;
  const std::string unused(100000, 'k');
  for (std::size_t i = 0; i < 1000; ++i) {
    pt2::Argument input;
    input.emplace<pt2::Argument::as_tensor>().name = i == 0 ? unused : "i" + std::to_string(i);
    graph.inputs.push_back(std::move(input));
  }
  for (const DiagramGroup& group : pt2::diagram_of(program).groups) CHECK(group.name.size() < 1000);
}

TEST_CASE("duplicate names are made unique, and malformed metadata gives a remark") {
  pt2::ExportedProgram program = chain({"relu", "relu"});
  program.graph_module.graph.nodes[1].outputs = program.graph_module.graph.nodes[0].outputs;
  program.graph_module.graph.nodes[0].metadata["nn_module_stack"] = "a,b,c;d";
  const Diagram view = pt2::diagram_of(program);
  CHECK(node_of(view, "v0 (2)").label == "aten.relu.default");
  REQUIRE(view.remarks.size() == 1);
  CHECK(view.remarks[0].rfind("modules are not shown: graph.nodes[0].metadata.nn_module_stack", 0) == 0);
}

TEST_CASE("a node with an unknown operator has only its own arguments") {
  const Diagram view = pt2::diagram_of(chain({"no_such_operator"}));
  const DiagramNode& node = node_of(view, "v0");
  REQUIRE(node.arguments.size() == 1);
  CHECK(node.arguments[0].name == "self");
  CHECK(node.arguments[0].text == "x");
}
