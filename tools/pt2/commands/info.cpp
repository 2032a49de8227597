#include <memory>

#include "command.h"
#include "console.h"
#include "info_text.h"
#include "input.h"
#include "pt2/program.h"
#include "pt2/report/reports.h"

namespace pt2::tool {
namespace {

struct InfoArguments {
  std::string file;
  LoadOptions loading;
  bool json = false;
};

int run(const InfoArguments& arguments) {
  const ProgramFile file = open_input(arguments.file);
  const Archive* const archive = file.archive();
  const std::string& name = arguments.file;
  const std::optional<LoadedProgram> loaded = load_only_model(file, arguments.loading, notice_printer(name));
  if (arguments.json) {
    write_output(info_json(shown_path(name), loaded ? &*loaded : nullptr, archive) + "\n");
  } else {
    write_text(loaded ? info_text(name, *loaded, archive) : info_text(name, *archive));
  }
  return kDone;
}

}  // namespace

void add_info_command(Command command) {
  const auto arguments = std::make_shared<InfoArguments>();
  add_program_argument(command, "FILE", arguments->file);
  command.add_flag("--json", arguments->json, "Print a JSON object");
  add_model_option(command, arguments->loading.model);
  command.footer(
      "Examples:\n"
      "  pt2 info model.pt2\n"
      "  pt2 info package.pt2 --model encoder\n"
      "  pt2 info model.pt2 --json | jq .operators");
  set_action(command, &arguments->file, [arguments] { return run(*arguments); });
}

}  // namespace pt2::tool
