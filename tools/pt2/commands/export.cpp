#include "output.h"
#include "pt2/page/dot.h"
#include "pt2/show/diagram.h"

namespace pt2::tool {
namespace {

struct ExportArguments : FileArguments {
  std::string format;
};

void run(const ExportArguments& arguments) {
  require_other_file(arguments.in, arguments.out);
  const LoadedProgram loaded = load_to_read(arguments.in, open_input(arguments.in), arguments.loading);
  write_bytes(dot_text(diagram_of(loaded.program), title_of(arguments.in)), arguments.out);
}

}  // namespace

void add_export_command(Command command) {
  auto& arguments = add_file_arguments<ExportArguments>(command, "FILE");
  arguments.out = "-";
  command.add_option("--format FORMAT", arguments.format, "dot: the graph for Graphviz")
      .required()
      .one_of({"dot"});
  add_output_option(command, arguments.out, "Output file; - (the default) for standard output");
  add_model_option(command, arguments.loading.model);
  command.footer(
      "Modules and subgraphs become clusters. Graphviz may take minutes for a large program; pt2 view\n"
      "lays out only what is unfolded.\n\n"
      "Examples:\n"
      "  pt2 export model.pt2 --format dot -o model.dot\n"
      "  pt2 export model.pt2 --format dot | dot -Tsvg > model.svg");
}

}  // namespace pt2::tool
