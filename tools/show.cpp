// `pt2 show`: the graph as text.
#include "commands.h"
#include "console.h"
#include "pt2/graph/export_signature.h"
#include "pt2/program.h"

namespace pt2::tool {

int run_show(const ShowArguments& arguments) {
  LoadOptions options;
  options.model = arguments.model;
  const LoadedProgram loaded = load_program(arguments.file, options);
  write_diagnostic(skipped_warnings(arguments.file, loaded.skipped));
  write_output(arguments.signature ? ExportGraphSignature(loaded.program.graph_module.signature).text()
                                   : program_text(loaded.program, output_colours()));
  return kDone;
}

}  // namespace pt2::tool
