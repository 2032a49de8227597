// Loads one program and tells how many nodes it has: cold_load_pt2 PROGRAM [--memory]
#include <pt2/program.h>

#include "cold_load.h"

int main(int argc, char** argv) {
  const pt2::LoadedProgram loaded = pt2::load_program(argv[1]);
  return tell_nodes(loaded.program.graph_module.graph.nodes.size(), argc, argv);
}
