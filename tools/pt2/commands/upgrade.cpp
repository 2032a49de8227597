#include "output.h"
#include "pt2/schema_info.h"
#include "pt2/text/literal.h"
#include "pt2/versions/version.h"
#include "schemagen/base/quote.h"

namespace pt2::tool {
namespace {

struct UpgradeArguments : FileArguments {
  bool dry_run = false;
};

std::string changes_text(const UpgradedFile& upgraded) {
  const bool names_model = upgraded.programs > 1;
  std::string text;
  for (const auto& [model, change] : upgraded.changes) {
    if (names_model) text += "model " + string_literal(model) + ": ";
    text += printable(change.path) + ": " + printable(change.what) + " (upgrade from schema " +
            version_text(change.from) + ")\n";
  }
  for (const NewMember& member : upgraded.members) {
    text += "zip member " + schemagen::quoted(member.name) + ": " +
            (member.content.empty() ? "added, empty" : "changed to " + schemagen::quoted(member.content)) +
            "\n";
  }
  if (upgraded.is_moved) text += "converted the archive to a PT2 archive with raw tensors\n";
  return text.empty() ? "nothing to change\n" : text;
}

void write_changes(ReportWriter& json, const UpgradedFile& upgraded) {
  json.list("changes", upgraded.changes, [&](const std::string& model, const auto& change) {
    json.object("model", model.empty() ? std::nullopt : std::optional(model), "path", printable(change.path),
                "what", printable(change.what), "step", version_text(change.from));
  });
  json.list("members", upgraded.members,
            [&](const NewMember& member) { json.object("name", member.name, "content", member.content); });
  json.members("becomes_pt2_archive", upgraded.is_moved);
}

void run(UpgradeArguments& arguments) {
  if (arguments.dry_run) arguments.out.clear();
  require_report(arguments);
  std::optional<FileFormat> format;
  if (!arguments.dry_run) {
    if (arguments.out.empty()) throw schemagen::UsageError("-o OUT or --dry-run is required");
    format = require_output(arguments.out, {FileFormat::json, FileFormat::archive});
  }
  const ProgramFile file = open_input(arguments.in);
  const FileFormat own = file.archive() != nullptr ? FileFormat::archive : FileFormat::json;
  const SaveTarget target = output_target(arguments.out, format.value_or(own));
  const UpgradedFile upgraded =
      upgrade_file({file, arguments.loading.model, notice_printer(arguments.in)},
                   arguments.dry_run ? nullptr : &target, arguments.dry_run || arguments.json);
  print_report(arguments, [&](ReportWriter& json) { write_changes(json, upgraded); });
  if (arguments.dry_run && !arguments.json) write_text(changes_text(upgraded));
}

}  // namespace

void add_upgrade_command(Command command) {
  auto& arguments = add_file_arguments<UpgradeArguments>(command, "IN");
  add_output_option(command, arguments.out,
                    "Output file: an archive if IN is one, otherwise JSON; - for standard output");
  command.add_flag("--dry-run", arguments.dry_run, "Write nothing; print each change with its path");
  add_report_option(command, arguments.json);
  add_model_option(command, arguments.loading.model);
  command.footer(
      "Upgrades programs of older schemas (" + older_majors() +
      "), and programs of older minor\nversions of schema " + std::to_string(kSchemaMajor) + ", to schema " +
      version_text({kSchemaMajor, kSchemaMinor}) +
      ". In an archive, copies everything else byte for byte, and adds\n"
      "members that the current torch requires; OUT.json contains only the program. Adapts calls to\n"
      "operators whose arguments changed in releases up to torch " +
      std::string(operator_releases().schemas) +
      ". Warns about calls that cannot be adapted\n"
      "and about missing operators, because torch may not run them. If the program contains constants that\n"
      "torch 2.1 pickled, OUT is a PT2 archive with raw records.\n\n"
      "Examples:\n"
      "  pt2 upgrade old.pt2 -o new.pt2\n"
      "  pt2 upgrade old.json --dry-run");
}

}  // namespace pt2::tool
