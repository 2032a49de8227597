// Loads one program and tells how many nodes it has: cold_load_pt2 PROGRAM [--without-metadata] [--memory]
#include <pt2/program.h>
#include <pt2/visit.h>
#include <schemagen/value/field_name.h>

#include <cstring>

#include "cold_load.h"

int main(int argc, char** argv) {
  pt2::LoadOptions options;
  if (argc > 2 && std::strcmp(argv[2], "--without-metadata") == 0) {
    options.leave_out = {schemagen::field_name<&pt2::Node::metadata>};
  }
  // Never freed, as this process leaves.
  const auto& loaded = *new pt2::LoadedProgram(pt2::load_program(argv[1], options));
  return tell_nodes(loaded.program.graph_module.graph.nodes.size(), argc, argv);
}
