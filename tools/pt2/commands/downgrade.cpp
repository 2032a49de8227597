#include <cstdint>
#include <memory>

#include "command.h"
#include "console.h"
#include "input.h"
#include "output.h"
#include "pt2/edit/file_operations.h"
#include "pt2/upgrade/release_target.h"
#include "pt2/versions/version.h"
#include "schemagen/base/error.h"

namespace pt2::tool {
namespace {

struct DowngradeArguments {
  std::string in;
  std::string out;
  std::string to;
  std::optional<std::string> model;
};

std::string target_forms() {
  std::string forms;
  for (const std::int64_t major : writable_majors()) forms += std::to_string(major) + ".N|";
  return forms + "torch-2.N";
}

std::string releases_text() {
  std::string text;
  for (const Release& release : first_releases()) {
    text += (text.empty() ? "" : ", ") + version_text(release.schema) +
            (text.empty() ? " is the schema of torch 2." : " of 2.") + std::to_string(release.torch_minor);
  }
  return text;
}

int run(const DowngradeArguments& arguments) {
  if (arguments.to.empty()) throw schemagen::UsageError("--to " + target_forms() + " is required");
  const ReleaseTarget to = parse_release_target(arguments.to);
  require_edited_output(arguments.out);
  const ProgramFile file = open_input(arguments.in);
  const bool is_done =
      downgrade_file({file, arguments.model, notice_printer(arguments.in)}, to, output_target(arguments.out))
          .empty();
  return is_done ? kDone : kBadInput;
}

}  // namespace

void add_downgrade_command(Command command) {
  const auto arguments = std::make_shared<DowngradeArguments>();
  const Release oldest = first_releases().front();
  add_program_argument(command, "IN", arguments->in);
  add_output_option(command, arguments->out, kEditedOutput);
  command
      .add_option(
          "--to", arguments->to,
          "Target schema version, " + version_text(oldest.schema) + " or later, or target torch release")
      .type_name(target_forms());
  add_model_option(command, arguments->model);
  command.footer(
      releases_text() +
      ".\n"
      "Values that the older schema cannot express are dropped if they are empty or only hints, such as\n"
      "the names of nodes; otherwise they are errors, and nothing is written. Arguments that the older\n"
      "torch lacks are dropped if they have their default values; otherwise they are errors.\n"
      "Missing operators cause a warning. Functions that the older torch cannot load, such as those that\n"
      "vmap leaves behind, are errors. Archives are written in the layout that the older torch reads,\n"
      "with their weights.\n\n"
      "Examples:\n"
      "  pt2 downgrade model.json -o older.json --to " +
      version_text(oldest.schema) +
      "\n"
      "  pt2 downgrade model.pt2 -o older.pt2 --to torch-2.9");
  set_action(command, &arguments->in, [arguments] { return run(*arguments); });
}

}  // namespace pt2::tool
