// `pt2 show`: the graph as text.
#include <memory>

#include "command.h"
#include "console.h"
#include "pt2/graph/export_signature.h"
#include "pt2/program.h"
#include "report.h"

namespace pt2::tool {
namespace {

struct Arguments {
  std::string file;
  LoadOptions loading;
  bool signature = false;
};

int run(const Arguments& arguments) {
  const LoadedProgram loaded = load_program(arguments.file, arguments.loading);
  write_diagnostic(skipped_warnings(arguments.file, loaded.skipped));
  write_output(arguments.signature ? ExportGraphSignature(loaded.program.graph_module.signature).text()
                                   : program_text(loaded.program, output_colours()));
  return kDone;
}

}  // namespace

void add_show_command(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<Arguments>();
  CLI::App* const command = app.add_subcommand("show", "Print the graph as readable text");
  add_program_argument(*command, "FILE", arguments->file);
  command->add_flag("--signature", arguments->signature, "Print ep.graph_signature instead, as torch does");
  add_model_option(*command, arguments->loading.model);
  command->footer(
      "One line is one node, with the types of its results:\n"
      "  add: f32[s0, 4] = aten.add.Tensor(x, 1)\n"
      "Subgraphs are indented below their node. Types are dim on a terminal; NO_COLOR=1 turns that off.\n\n"
      "Examples:\n"
      "  pt2 show model.pt2 | less\n"
      "  unzip -p model.pt2 '*/models/model.json' | pt2 show -");
  set_action(*command, exit_code, &arguments->file, [arguments] { return run(*arguments); });
}

}  // namespace pt2::tool
