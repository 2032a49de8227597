// Needs neither exceptions nor run-time type information.
#include <pt2/program.h>

#include <cstdio>
#include <string>

#if defined(__cpp_exceptions) || defined(__cpp_rtti)
#error "to be compiled with -fno-exceptions -fno-rtti"
#endif

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: no_exceptions FILE.pt2\n", stderr);
    return 2;
  }
  const auto loaded = pt2::try_load_program(std::string(argv[1]));
  if (!loaded) {
    std::fprintf(stderr, "%s: %s\n", argv[1], loaded.failure().what());
    return 3;
  }
  for (const pt2::Node& node : loaded->program.graph_module.graph.nodes) std::puts(node.target.c_str());
}
