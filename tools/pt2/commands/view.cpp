#include "pt2/show/diagram.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "command.h"
#include "console.h"
#include "input.h"
#include "model_explorer.h"
#include "output.h"
#include "pt2/page/view_page.h"
#include "pt2/program.h"
#include "pt2/scan/file_findings.h"
#include "pt2/weights.h"
#include "schemagen/base/error.h"

namespace pt2::tool {
namespace {

constexpr const char* kModelExplorer = "model-explorer";
constexpr std::size_t kMostOverlay = std::size_t{16} << 20;  // bytes

struct ViewArguments : FileArguments {
  std::string format = "html";
  std::string overlay;
  bool no_weights = false;
  bool app = false;
};

/// Only warns if they cannot be read: the graph is useful without them.
std::vector<Weight> weights_to_show(const ProgramFile& file, const ViewArguments& arguments) {
  if (arguments.no_weights || file.archive() == nullptr) return {};
  try {
    return load_weights(file, arguments.loading.model);
  } catch (const schemagen::DataError& error) {
    write_diagnostic(shown_path(arguments.in) + ": warning: cannot show weights: " + error.what() + "\n");
    return {};
  }
}

std::optional<PageOverlay> overlay_of(const ViewArguments& arguments) {
  if (arguments.overlay.empty()) return std::nullopt;
  return read_beside(arguments.overlay, [&](std::string_view bytes, const std::string& name) {
    if (bytes.size() > kMostOverlay) {
      throw schemagen::DataError(name + ": " + "expected at most " + std::to_string(kMostOverlay) +
                                 " bytes, got " + std::to_string(bytes.size()));
    }
    return std::optional(PageOverlay{title_of(arguments.overlay), std::string(bytes)});
  });
}

std::string page_of(const ProgramFile& file, const LoadedProgram& loaded, const ViewArguments& arguments) {
  require_pages();
  const Diagram view = diagram_of(loaded.program);
  return view_page({title_of(arguments.in), &loaded.program, &view, weights_to_show(file, arguments)},
                   overlay_of(arguments), findings_of(file, loaded));
}

int run(const ViewArguments& arguments) {
  if (arguments.out.empty()) throw schemagen::UsageError("-o OUT is required; use '-' for standard output");
  if (arguments.app != arguments.in.empty())
    throw schemagen::UsageError(arguments.app ? "--app and FILE cannot be combined" : "FILE is required");
  if (arguments.app) {
    write_bytes(viewer_page(), arguments.out);
    return kDone;
  }
  if (!arguments.overlay.empty() && arguments.format != "html")
    throw schemagen::UsageError("--overlay requires --format html");
  require_other_file(arguments.in, arguments.out);
  const ProgramFile file = open_input(arguments.in);
  const LoadedProgram loaded = load_to_read(arguments.in, file, arguments.loading);
  write_bytes(arguments.format == kModelExplorer
                  ? model_explorer_json(diagram_of(loaded.program), title_of(arguments.in))
                  : page_of(file, loaded, arguments),
              arguments.out);
  return kDone;
}

}  // namespace

void add_view_command(Command command) {
  auto& arguments = add_arguments<ViewArguments>(command, &ViewArguments::in);
  command.add_option("FILE", arguments.in, "Program to read; - for standard input").type_name("");
  add_output_option(command, arguments.out, "Output file, such as OUT.html; - for standard output");
  command
      .add_option("--format FORMAT", arguments.format,
                  "html (default), or model-explorer: JSON for Model Explorer")
      .one_of({"html", kModelExplorer});
  command.add_option("--overlay FILE", arguments.overlay,
                     "JSON or CSV file with a number or text for each node, to color the nodes");
  command.add_flag("--no-weights", arguments.no_weights, "Omit weight statistics");
  command.add_flag("--app", arguments.app,
                   "Write a page that contains no program and opens files dropped on it");
  add_model_option(command, arguments.loading.model);
  command.footer(
      "The page needs no network access. It can fold modules or, in programs without modules, subgraphs\n"
      "and repeated parts. Click a node, weight or module for details; OUT.html#node=NAME links to a\n"
      "node. Press ? in the page for its keyboard shortcuts.\n\n"
      "Examples:\n"
      "  pt2 view model.pt2 -o model.html\n"
      "  pt2 view model.pt2 -o model.html --no-weights\n"
      "  pt2 view model.pt2 -o model.html --overlay times.csv\n"
      "  pt2 view model.pt2 --format model-explorer -o model.json\n"
      "  pt2 view --app -o viewer.html");
}

}  // namespace pt2::tool
