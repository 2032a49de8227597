// `pt2 view`: the graph of a program as a picture.
#include "pt2/show/view.h"

#include <memory>

#include "command.h"
#include "console.h"
#include "output.h"
#include "pt2/load_weights.h"
#include "pt2/program.h"
#include "report.h"
#include "schemagen/value/error.h"
#include "view_page.h"

namespace pt2::tool {
namespace {

struct Arguments {
  std::string file;
  std::string out;
  LoadOptions loading;
  bool no_weights = false;
};

/// The weights of an archive; none, and a warning, if they cannot be read: the graph can be looked at all the
/// same.
std::vector<Weight> weights_to_show(const ProgramFile& file, const Arguments& arguments) {
  if (arguments.no_weights || file.archive() == nullptr) return {};
  try {
    return load_weights(file, arguments.loading.model);
  } catch (const schemagen::DataError& error) {
    write_diagnostic(shown_path(arguments.file) + ": warning: weights are not shown: " + error.what() + "\n");
    return {};
  }
}

int run(const Arguments& arguments) {
  if (arguments.out.empty()) throw schemagen::UsageError("-o OUT.html is required, - for standard output");
  if (!has_pages()) {
    throw schemagen::UsageError(
        "this pt2 was built without dagre, which lays out the graph: build it with PT2_DAGRE");
  }
  const ProgramFile file = open_program_file(arguments.file);
  const LoadedProgram loaded = load_program(file, arguments.loading);
  write_diagnostic(skipped_warnings(arguments.file, loaded.skipped));
  const View view = view_of(loaded.program);
  const std::string title = shown_path(arguments.file.substr(arguments.file.rfind('/') + 1));
  write_bytes(view_page({title, &loaded.program, &view, weights_to_show(file, arguments)}), arguments.out);
  return kDone;
}

}  // namespace

void add_view_command(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<Arguments>();
  CLI::App* const command = app.add_subcommand("view", "Write a page to look at the graph in a browser");
  add_program_argument(*command, "FILE", arguments->file);
  add_output_option(*command, arguments->out, "The page, OUT.html; - is standard output");
  command->add_flag("--no-weights", arguments->no_weights, "Do not read the weights for their statistics");
  add_model_option(*command, arguments->loading.model);
  command->footer(
      "The page needs no network. Modules fold and unfold; programs without them are folded by subgraphs and "
      "by\n"
      "what repeats. A click shows what is known of a node, a weight or a module; OUT.html#node=NAME is a "
      "link to\n"
      "one. Press ? in the page for its keys.\n\n"
      "Examples:\n"
      "  pt2 view model.pt2 -o model.html\n"
      "  pt2 view model.pt2 -o model.html --no-weights");
  set_action(*command, exit_code, &arguments->file, [arguments] { return run(*arguments); });
}

}  // namespace pt2::tool
