// cold_load_pt2 PROGRAM [--without-metadata] [--unprepared] [--memory]
#include <pt2/program.h>
#include <pt2/visit.h>
#include <schemagen/base/huge_pages.h>
#include <schemagen/base/visit.h>

#include <cstring>

#include "cold_load.h"

int main(int argc, char** argv) {
  pt2::LoadOptions options;
  bool is_prepared = true;
  for (int i = 2; i < argc; ++i) {
    if (std::strcmp(argv[i], "--without-metadata") == 0)
      options.leave_out = {schemagen::field_name<&pt2::Node::metadata>};
    if (std::strcmp(argv[i], "--unprepared") == 0) is_prepared = false;
  }
  if (is_prepared) schemagen::prepare_heap_for_values();
  // Not freed: the process ends.
  const auto& loaded = *new pt2::LoadedProgram(pt2::load_program(argv[1], options));
  return tell_nodes(loaded.program.graph_module.graph.nodes.size(), argc, argv);
}
