// Lists convolutions and linear layers: name and shape of the weight, stride and padding.
#include <pt2/graph/index.h>
#include <pt2/nodes/arguments.h>
#include <pt2/program.h>
#include <pt2/strings/argument_text.h>

#include <cstdio>
#include <stdexcept>

int main(int argc, char** argv) try {
  if (argc != 2) throw std::invalid_argument("usage: layers FILE.pt2");
  const pt2::ExportedProgram program = pt2::load_program(std::string(argv[1])).program;
  const pt2::ProgramIndex index(program);
  index.for_each_node([&](const pt2::ProgramIndex::Scope& scope, std::uint32_t number) {
    const pt2::Graph& graph = scope.index.graph();
    const pt2::Node& node = graph.nodes[number];
    const bool is_convolution = node.target.rfind("torch.ops.aten.conv", 0) == 0;
    if (!is_convolution && node.target != "torch.ops.aten.linear.default") return;
    const pt2::NodeArguments arguments = pt2::arguments_of(node);
    const std::string weight = arguments.tensor("weight");
    const std::string* const name = index.signature().target_of_input(weight);
    const pt2::TensorMeta* const meta = pt2::find_value(graph, weight).tensor;
    std::printf("%s %s", name == nullptr ? weight.c_str() : name->c_str(),
                meta == nullptr ? "?" : pt2::tensor_type_text(*meta).c_str());
    if (is_convolution) {
      std::printf(" stride=%s padding=%s", pt2::argument_text(arguments.at("stride").value()).c_str(),
                  pt2::argument_text(arguments.at("padding").value()).c_str());
    }
    std::printf("\n");
  });
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 3;
}
