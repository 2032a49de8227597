// Operators of a subgraph are indented below its node.
#include <pt2/program.h>

#include <cstdio>
#include <exception>
#include <string>

namespace {

void print_operators(const pt2::Graph& graph, int indent) {
  for (const pt2::Node& node : graph.nodes) {
    std::printf("%*s%s\n", indent, "", node.target.c_str());
    for (const pt2::NamedArgument& input : node.inputs) {
      if (const pt2::GraphArgument* subgraph = input.arg.get_if<pt2::Argument::as_graph>()) {
        print_operators(*subgraph->graph, indent + 2);
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: print_operators FILE.pt2\n", stderr);
    return 2;
  }
  try {
    const pt2::LoadedProgram loaded = pt2::load_program(std::string(argv[1]));
    print_operators(loaded.program.graph_module.graph, 0);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", argv[1], error.what());
    return 3;
  }
  return 0;
}
