#include <cstdint>

#include "output.h"
#include "pt2/upgrade/release_target.h"
#include "pt2/versions/version.h"

namespace pt2::tool {
namespace {

struct DowngradeArguments : FileArguments {
  std::string to;
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
  const Edit edit(arguments);
  return downgrade_file(edit.source, to, edit.target).empty() ? kDone : kBadInput;
}

}  // namespace

void add_downgrade_command(Command command) {
  auto& arguments = add_edit_arguments<DowngradeArguments>(command);
  const Release oldest = first_releases().front();
  command.add_option(
      "--to " + target_forms(), arguments.to,
      "Target schema version, " + version_text(oldest.schema) + " or later, or target torch release");
  add_model_option(command, arguments.loading.model);
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
}

}  // namespace pt2::tool
