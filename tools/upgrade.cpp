// `pt2 upgrade`: a program of an older version in the head version.
#include "commands.h"
#include "console.h"
#include "output.h"
#include "output_format.h"
#include "pt2/archive/archive_rewrite.h"
#include "pt2/archive/file.h"
#include "pt2/json.h"
#include "pt2/program.h"
#include "pt2/text/literal.h"
#include "pt2/version/version.h"
#include "schemagen/value/error.h"

namespace pt2::tool {
namespace {

/// One program of the input, in the head version.
struct UpgradedProgram {
  std::string model;   // empty without container
  std::string member;  // of the archive
  std::string json;
  std::vector<UpgradeChange> changes;
};

UpgradedProgram upgrade_program(const UpgradeArguments& arguments, const ProgramFile& file,
                                const std::optional<std::string>& model) {
  UpgradedProgram result;
  LoadOptions options;
  options.model = model;
  options.upgrading = Upgrading::all;
  if (arguments.dry_run) options.upgrade.changes = &result.changes;
  const LoadedProgram loaded = load_program(file, options);
  write_diagnostic(skipped_warnings(arguments.in, loaded.skipped));
  result.json = schemagen::to_json(loaded.program);
  result.model = loaded.source.model;
  if (file.archive) result.member = find_model(*file.archive, model).member;
  return result;
}

/// The chosen program, or all that there are.
std::vector<UpgradedProgram> upgrade_programs(const UpgradeArguments& arguments, const ProgramFile& file) {
  std::vector<UpgradedProgram> programs;
  if (arguments.model || !file.archive || file.archive->models.empty()) {
    programs.push_back(upgrade_program(arguments, file, arguments.model));
    return programs;
  }
  for (const ArchivedModel& model : file.archive->models) {
    programs.push_back(upgrade_program(arguments, file, model.name));
  }
  return programs;
}

/// A line for each change.
std::string changes_text(const std::vector<UpgradedProgram>& programs,
                         const std::vector<NewMember>& members) {
  std::string text;
  for (const UpgradedProgram& program : programs) {
    const std::string prefix = programs.size() > 1 ? "model " + string_literal(program.model) + ": " : "";
    for (const UpgradeChange& change : program.changes) {
      text += prefix + printable(change.path) + ": " + printable(change.what) + " (step from " +
              version_text(change.from) + ")\n";
    }
  }
  for (const NewMember& member : members) {
    text += "zip member '" + member.name +
            "': " + (member.content.empty() ? "is added, empty" : "becomes '" + member.content + "'") + "\n";
  }
  return text.empty() ? "nothing to change\n" : text;
}

std::vector<NewMember> changed_members(const Archive& archive, const std::vector<UpgradedProgram>& programs) {
  std::vector<NewMember> members;
  for (const UpgradedProgram& program : programs) members.push_back({program.member, program.json});
  for (NewMember& member : head_members(archive)) members.push_back(std::move(member));
  return members;
}

}  // namespace

int run_upgrade(const UpgradeArguments& arguments) {
  const ProgramFile file = open_program_file(arguments.in);
  const bool wants_json = format_of_name(arguments.out) == Format::json;
  const bool wants_archive = file.archive && is_archive_name(arguments.out);
  if (!arguments.dry_run && !wants_json && !wants_archive && arguments.out != "-") {
    const std::string endings =
        file.archive ? "OUT must end in .pt2 or .json" : "IN is no archive, so OUT must end in .json";
    write_usage_error("upgrade",
                      "cannot write '" + arguments.out + "': " + endings + ", or be - for standard output");
    return kUsage;
  }
  // One program is all that JSON can hold: fails where the choice is not clear.
  if (file.archive && wants_json) find_model(*file.archive, arguments.model);
  const std::vector<UpgradedProgram> programs = upgrade_programs(arguments, file);
  if (arguments.dry_run) {
    write_output(
        changes_text(programs, file.archive ? head_members(*file.archive) : std::vector<NewMember>()));
  } else if (file.archive && !wants_json) {
    write_archive(*file.archive, changed_members(*file.archive, programs), arguments.out);
  } else {
    write_bytes(programs.front().json, arguments.out);
  }
  return kDone;
}

}  // namespace pt2::tool
