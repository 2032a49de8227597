#include "command.h"
#include "console.h"
#include "info_text.h"
#include "input.h"
#include "pt2/program.h"
#include "pt2/report/reports.h"

namespace pt2::tool {
namespace {

struct InfoArguments : FileArguments {};

void run(const InfoArguments& arguments) {
  const ProgramFile file = open_input(arguments.in);
  const Archive* const archive = file.archive();
  const std::string& name = arguments.in;
  const std::optional<LoadedProgram> loaded = load_only_model(file, arguments.loading, notice_printer(name));
  if (arguments.json) {
    write_output(info_json(shown_path(name), loaded ? &*loaded : nullptr, archive) + "\n");
  } else {
    write_text(loaded ? info_text(name, *loaded, archive) : info_text(name, *archive));
  }
}

}  // namespace

void add_info_command(Command command) {
  auto& arguments = add_arguments<InfoArguments>(command, &InfoArguments::in);
  add_program_argument(command, "FILE", arguments.in);
  command.add_flag("--json", arguments.json, "Print a JSON object");
  add_model_option(command, arguments.loading.model);
  command.footer(
      "Examples:\n"
      "  pt2 info model.pt2\n"
      "  pt2 info package.pt2 --model encoder\n"
      "  pt2 info model.pt2 --json | jq .operators");
}

}  // namespace pt2::tool
