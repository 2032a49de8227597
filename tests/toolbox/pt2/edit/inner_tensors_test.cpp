#include "pt2/edit/inner_tensors.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "pt2/archive/archive.h"
#include "pt2/graph/signature.h"
#include "pt2/program.h"
#include "schemagen/base/error.h"
#include "thrown.h"
#include "toolbox/pt2/edit/errors.h"

using pt2::Argument;
using pt2::Weight;

namespace {

struct Model {
  pt2::ProgramFile file = pt2::open_program_file(PT2_SOURCE_DIR "/tests/data/packages/int8_linear.pt2");
  pt2::ExportedProgram program = pt2::load_program(file).program;
  std::vector<Weight> weights = pt2::weights_of(*file.archive(), "model", program.graph_module.signature);

  pt2::Graph& graph() { return program.graph_module.graph; }
  std::vector<Weight> taken_apart() { return pt2::take_apart(program, weights); }
  std::string error() {
    return error_of<schemagen::DataError>([&] { taken_apart(); });
  }
};

std::vector<std::string> targets_of(const pt2::ExportedProgram& program) {
  std::vector<std::string> targets;
  for (const pt2::InputSpec& spec : program.graph_module.signature.input_specs) {
    const auto parts = pt2::parts_of(spec);
    if (parts.target != nullptr) targets.push_back(*parts.name + ": " + *parts.target);
  }
  return targets;
}

const std::string kStart =
    "the weight '0.weight', a torchao.quantization.Int8Tensor, cannot be taken apart: it ";

}  // namespace

TEST_CASE("tensors in a weight that nodes read become inputs in its place") {
  Model model;
  const std::size_t nodes = model.graph().nodes.size();
  std::vector<std::string> names;
  for (const Weight& weight : model.taken_apart()) names.push_back(weight.name);
  CHECK(names ==
        std::vector<std::string>{"0.weight.qdata", "0.weight.scale", "0.weight.zero_point", "0.bias"});
  CHECK(targets_of(model.program) == std::vector<std::string>{"p_0_weight_qdata: 0.weight.qdata",
                                                              "p_0_weight_scale: 0.weight.scale",
                                                              "p_0_bias: 0.bias"});
  CHECK(model.graph().nodes.size() == nodes - 2);
  CHECK(errors_of(model.program).empty());
  model.weights.clear();
  model.taken_apart();
  CHECK(errors_of(model.program).empty());
}

TEST_CASE("tensors in a weight in a weight become inputs") {
  Model model;
  Weight& weight = model.weights.front();
  for (pt2::NamedTensor& part : weight.parts) part.name = "impl." + part.name;
  pt2::Graph& graph = model.graph();
  pt2::Node outer = graph.nodes.front();
  outer.inputs[1].arg.emplace<Argument::as_string>("impl");
  outer.outputs[0].emplace<Argument::as_tensor>().name = "impl";
  outer.name = "impl";
  const pt2::TensorMeta meta = graph.tensor_values.at("p_0_weight");  // a new entry moves the others
  graph.tensor_values["impl"] = meta;
  for (std::size_t i = 0; i < 2; ++i)
    graph.nodes[i].inputs[0].arg.emplace<Argument::as_tensor>().name = "impl";
  graph.nodes.insert(graph.nodes.begin(), std::move(outer));
  model.taken_apart();
  CHECK(targets_of(model.program) == std::vector<std::string>{"p_0_weight_impl_qdata: 0.weight.impl.qdata",
                                                              "p_0_weight_impl_scale: 0.weight.impl.scale",
                                                              "p_0_bias: 0.bias"});
  CHECK(errors_of(model.program).empty());
}

TEST_CASE("a weight that is used as a whole, or lacks what a node reads, is refused by name") {
  Model used;
  used.graph().nodes.back().inputs[0].arg.emplace<Argument::as_tensor>().name = "p_0_weight";
  CHECK(used.error() == kStart + "is used as a whole by 'torch.ops.aten.to.dtype'");
  Model returned;
  returned.graph().outputs[0].emplace<Argument::as_tensor>().name = "p_0_weight";
  CHECK(returned.error() == kStart + "is used as a whole by an output");
  Model other;
  other.graph().nodes[0].inputs[1].arg.emplace<Argument::as_string>("data");
  CHECK(other.error() ==
        kStart + "does not contain the tensor 'data', which 'access_subclass_inner_tensor_default_5' reads");
}
