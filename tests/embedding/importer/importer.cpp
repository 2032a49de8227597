// The skeleton of an importer: turns an exported program into the graph of another framework, here a toy one
// of operators with operands and parameters, and prints that.
#include <pt2/program.h>
#include <pt2/schema_info.h>
#include <pt2/show/argument_text.h>
#include <pt2/show/tensor_type.h>

#include <cstdio>
#include <exception>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace toy {

struct Operand {
  std::string name;
  std::string type;  // `f32[2, 3]`; empty where the program does not say
};

struct Operator {
  std::string type;
  std::vector<std::size_t> inputs;  // indices of operands
  std::vector<std::size_t> outputs;
  std::vector<std::pair<std::string, std::string>> parameters;
};

struct Graph {
  std::vector<Operand> operands;
  std::vector<Operator> operators;
};

}  // namespace toy

namespace {

// What the framework has. An operator that is not here is taken over under its own name.
const std::map<std::string, std::string> kOperators = {
    {"torch.ops.aten.linear.default", "InnerProduct"},
    {"torch.ops.aten.relu.default", "ReLU"},
    {"torch.ops.aten.add.Tensor", "Add"},
    {"torch.ops.aten.mul.Tensor", "Mul"},
};

class Importer {
 public:
  explicit Importer(const pt2::ExportedProgram& program) : program_(program) {}

  toy::Graph import() {
    for (const pt2::InputSpec& input : program_.graph_module.signature.input_specs) add_input(input);
    for (const pt2::Node& node : program_.graph_module.graph.nodes) add_node(node);
    toy::Operator output{"Output", {}, {}, {}};
    for (const pt2::Argument& argument : program_.graph_module.graph.outputs)
      add_values(argument, output.inputs);
    graph_.operators.push_back(std::move(output));
    return std::move(graph_);
  }

 private:
  const pt2::Graph& source() const { return program_.graph_module.graph; }

  /// The operand of a value, which is added where it is new.
  std::size_t operand(const std::string& name) {
    const auto [at, is_new] = indices_.emplace(name, graph_.operands.size());
    if (is_new) {
      const pt2::TensorMeta* const meta = source().tensor_values.find(name);
      graph_.operands.push_back({name, meta == nullptr ? "" : pt2::tensor_type_text(*meta)});
    }
    return at->second;
  }

  /// Appends the operands of the tensors in `argument`; whether there are any.
  bool add_values(const pt2::Argument& argument, std::vector<std::size_t>& operands) {
    switch (argument.kind()) {
      case pt2::Argument::as_tensor:
        operands.push_back(operand(argument.get<pt2::Argument::as_tensor>().name));
        return true;
      case pt2::Argument::as_tensors:
        for (const pt2::TensorArgument& tensor : argument.get<pt2::Argument::as_tensors>()) {
          operands.push_back(operand(tensor.name));
        }
        return true;
      default:
        return false;
    }
  }

  void add_input(const pt2::InputSpec& input) {
    if (const auto* user = input.get_if<pt2::InputSpec::user_input>()) {
      toy::Operator made{"Input", {}, {}, {}};
      add_values(user->arg, made.outputs);
      graph_.operators.push_back(std::move(made));
    } else if (const auto* parameter = input.get_if<pt2::InputSpec::parameter>()) {
      graph_.operators.push_back(
          {"Weight", {}, {operand(parameter->arg.name)}, {{"data", parameter->parameter_name}}});
    } else if (const auto* buffer = input.get_if<pt2::InputSpec::buffer>()) {
      graph_.operators.push_back(
          {"Weight", {}, {operand(buffer->arg.name)}, {{"data", buffer->buffer_name}}});
    } else {
      throw std::runtime_error("inputs of the kind " + std::string(pt2::name_of(input.kind())) +
                               " cannot be imported");
    }
  }

  void add_node(const pt2::Node& node) {
    const auto known = kOperators.find(node.target);
    toy::Operator made{known == kOperators.end() ? node.target : known->second, {}, {}, {}};
    for (const pt2::NamedArgument& input : node.inputs) {
      if (!add_values(input.arg, made.inputs)) {
        made.parameters.emplace_back(input.name, pt2::argument_text(input.arg));
      }
    }
    for (const pt2::Argument& output : node.outputs) add_values(output, made.outputs);
    graph_.operators.push_back(std::move(made));
  }

  const pt2::ExportedProgram& program_;
  toy::Graph graph_;
  std::map<std::string, std::size_t> indices_;
};

void print(const toy::Graph& graph) {
  for (const toy::Operator& made : graph.operators) {
    std::printf("%-14s", made.type.c_str());
    for (const std::size_t i : made.inputs) std::printf(" %s", graph.operands[i].name.c_str());
    std::printf(" ->");
    for (const std::size_t i : made.outputs) {
      std::printf(" %s:%s", graph.operands[i].name.c_str(), graph.operands[i].type.c_str());
    }
    for (const auto& [name, value] : made.parameters) std::printf(" %s=%s", name.c_str(), value.c_str());
    std::printf("\n");
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: importer FILE.pt2\n", stderr);
    return 2;
  }
  try {
    const pt2::LoadedProgram loaded = pt2::load_program(std::string(argv[1]));
    print(Importer(loaded.program).import());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", argv[1], error.what());
    return 3;
  }
  return 0;
}
