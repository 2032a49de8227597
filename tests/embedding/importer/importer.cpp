// Skeleton of an importer: prints a program as operators of a toy framework.
#include <pt2/graph/index.h>
#include <pt2/program.h>
#include <pt2/schema_info.h>
#include <pt2/strings/argument_text.h>

#include <cstdio>
#include <map>
#include <stdexcept>

// Other operators keep their names.
const std::map<std::string, std::string> kOperators = {
    {"torch.ops.aten.linear.default", "InnerProduct"},
    {"torch.ops.aten.relu.default", "ReLU"},
    {"torch.ops.aten.add.Tensor", "Add"},
    {"torch.ops.aten.mul.Tensor", "Mul"},
};

struct Operator {
  std::string type;
  std::vector<std::string> inputs, outputs;  // operands
  std::vector<std::pair<std::string, std::string>> parameters;
};

Operator import_input(const pt2::SpecParts<const pt2::InputSpec>& input) {
  if (input.argument != nullptr && input.name != nullptr) return {"Input", {}, {*input.name}, {}};
  if (input.target != nullptr) return {"Weight", {}, {*input.name}, {{"data", *input.target}}};
  throw std::runtime_error("inputs of the kind " + std::string(name_of(input.kind)) + " cannot be imported");
}

Operator import_node(const pt2::GraphIndex& graph, std::uint32_t number) {
  const pt2::Node& node = graph.graph().nodes[number];
  const auto known = kOperators.find(node.target);
  Operator made{known == kOperators.end() ? node.target : known->second, {}, {}, {}};
  std::vector<bool> has_values(node.inputs.size(), false);
  for (const pt2::GraphIndex::Use& use : graph.uses(number)) {
    made.inputs.emplace_back(graph.name(use.value));
    has_values[use.input] = true;
  }
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    if (!has_values[i]) made.parameters.emplace_back(node.inputs[i].name, argument_text(node.inputs[i].arg));
  }
  for (auto value = graph.outputs_begin(number); value < graph.outputs_end(number); ++value) {
    made.outputs.emplace_back(graph.name(value));
  }
  return made;
}

void print(const pt2::GraphIndex& graph, const Operator& made) {
  std::printf("%-14s", made.type.c_str());
  for (const std::string& name : made.inputs) std::printf(" %s", name.c_str());
  std::printf(" ->");
  for (const std::string& name : made.outputs) {
    const pt2::TensorMeta* const meta = find_value(graph.graph(), name).tensor;
    std::printf(" %s:%s", name.c_str(), meta == nullptr ? "" : tensor_type_text(*meta).c_str());
  }
  for (const auto& [name, value] : made.parameters) std::printf(" %s=%s", name.c_str(), value.c_str());
  std::printf("\n");
}

int main(int argc, char** argv) try {
  if (argc != 2) throw std::invalid_argument("usage: importer FILE.pt2");
  const pt2::ExportedProgram program = pt2::load_program(std::string(argv[1])).program;
  const pt2::ProgramIndex index(program);
  const pt2::GraphIndex& graph = index.top();
  for (const auto& input : index.signature().inputs()) print(graph, import_input(input));
  for (std::uint32_t node = 0; node < graph.node_count(); ++node) print(graph, import_node(graph, node));
  Operator output{"Output", {}, {}, {}};
  for (const std::uint32_t value : graph.graph_outputs()) output.inputs.emplace_back(graph.name(value));
  print(graph, output);
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 3;
}
