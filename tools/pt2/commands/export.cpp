#include <memory>

#include "command.h"
#include "console.h"
#include "input.h"
#include "output.h"
#include "pt2/page/dot.h"
#include "pt2/program.h"
#include "pt2/show/diagram.h"
#include "schemagen/base/error.h"

namespace pt2::tool {
namespace {

struct ExportArguments {
  std::string file;
  std::string out = "-";
  std::string format;
  LoadOptions loading;
};

int run(const ExportArguments& arguments) {
  require_other_file(arguments.file, arguments.out);
  const LoadedProgram loaded = load_to_read(arguments.file, open_input(arguments.file), arguments.loading);
  write_bytes(dot_text(diagram_of(loaded.program), title_of(arguments.file)), arguments.out);
  return kDone;
}

}  // namespace

void add_export_command(Command command) {
  const auto arguments = std::make_shared<ExportArguments>();
  add_program_argument(command, "FILE", arguments->file);
  command.add_option("--format", arguments->format, "dot: the graph for Graphviz")
      .required()
      .type_name("FORMAT")
      .one_of({"dot"});
  add_output_option(command, arguments->out, "Output file; - (the default) for standard output");
  add_model_option(command, arguments->loading.model);
  command.footer(
      "Modules and subgraphs become clusters. Graphviz may take minutes for a large program; pt2 view\n"
      "lays out only what is unfolded.\n\n"
      "Examples:\n"
      "  pt2 export model.pt2 --format dot -o model.dot\n"
      "  pt2 export model.pt2 --format dot | dot -Tsvg > model.svg");
  set_action(command, &arguments->file, [arguments] { return run(*arguments); });
}

}  // namespace pt2::tool
