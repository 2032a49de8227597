// cold_load_torch PROGRAM [--memory]: PyTorch's generated C++ codec.
#include <torch/csrc/utils/generated_serialization_types.h>

#include <fstream>
#include <string>

#include "cold_load.h"

int main(int argc, char** argv) {
  // A stream would take a seventh longer.
  std::ifstream in(argv[1], std::ios::binary | std::ios::ate);
  std::string text(static_cast<std::size_t>(in.tellg()), '\0');
  in.seekg(0);
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  // Not freed: the process ends.
  const auto& program = *new torch::_export::ExportedProgram(
      nlohmann::json::parse(text).get<torch::_export::ExportedProgram>());
  return tell_nodes(program.get_graph_module().get_graph().get_nodes().size(), argc, argv);
}
