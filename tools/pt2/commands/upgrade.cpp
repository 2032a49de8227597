#include <memory>
#include <utility>

#include "call_changes.h"
#include "command.h"
#include "console.h"
#include "output.h"
#include "pt2/archive/tensors/weights.h"
#include "pt2/edit/port_calls.h"
#include "pt2/operators/operators.h"
#include "pt2/program.h"
#include "pt2/schema_info.h"
#include "pt2/text/literal.h"
#include "pt2/versions/version.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"

namespace pt2::tool {
namespace {

struct UpgradeArguments {
  std::string in;
  std::string out;
  LoadOptions loading;
  bool dry_run = false;
  bool json = false;
};

void port(const std::string& file, LoadedProgram& loaded) {
  const std::string from = release_of(loaded.program, loaded.upgraded_from);
  const std::string to(operator_releases().schemas);
  if (!is_earlier_release(from, to)) return;
  std::vector<CallChange> refused;
  for (CallChange& call : port_calls(loaded.program, from, to)) {
    if (call.is_done) {
      const SchemaVersion step = loaded.upgraded_from.value_or(loaded.program.schema_version);
      loaded.changes.push_back({step, std::move(call.path), std::move(call.what)});
    } else {
      refused.push_back(std::move(call));
    }
  }
  write_diagnostic(call_lines(file, refused, "warning") + missing_operators(file, loaded.program, to));
}

/// Constants in the program make the output a PT2 archive, because old zips could only pickle them. Throws
/// DataError if there are several programs, which torch never wrote then.
bool is_moved(const std::vector<LoadedProgram>& programs) {
  for (const LoadedProgram& program : programs) {
    if (program.constants.empty()) continue;
    if (programs.size() == 1) return true;
    throw schemagen::DataError("the model " + schemagen::quoted(program.source.model) +
                               " contains constants and must be upgraded separately; choose it with --model");
  }
  return false;
}

struct Upgraded {
  std::vector<LoadedProgram> programs;
  bool is_moved = false;
  std::vector<NewMember> members;  // that the archive gets, besides the programs
};

Upgraded upgrade_programs(const UpgradeArguments& arguments, const ProgramFile& file,
                          std::optional<FileFormat> format) {
  std::vector<std::optional<std::string>> models = {arguments.loading.model};
  const Archive* const archive = file.archive();
  if (!arguments.loading.model && archive != nullptr && !archive->models.empty()) {
    models.assign(archive->models.size(), std::nullopt);
    for (std::size_t i = 0; i < models.size(); ++i) models[i] = archive->models[i].name;
  }
  LoadOptions options = arguments.loading;
  options.upgrading = Upgrading::all;
  options.upgrade.report_changes = arguments.dry_run || arguments.json;
  Upgraded upgraded;
  for (const std::optional<std::string>& model : models) {
    options.model = model;
    upgraded.programs.push_back(load_to_write(arguments.in, file, options, FileFormat::json));
    port(arguments.in, upgraded.programs.back());
  }
  upgraded.is_moved = is_moved(upgraded.programs);
  if (archive != nullptr && format != FileFormat::json && !upgraded.is_moved) {
    upgraded.members = version_members(*archive, upgraded.programs.front().program.schema_version);
  }
  return upgraded;
}

std::string changes_text(const Upgraded& upgraded) {
  std::string text;
  for (const LoadedProgram& program : upgraded.programs) {
    const std::string prefix =
        upgraded.programs.size() > 1 ? "model " + string_literal(program.source.model) + ": " : "";
    for (const UpgradeChange& change : program.changes) {
      text += prefix + printable(change.path) + ": " + printable(change.what) + " (step from " +
              version_text(change.from) + ")\n";
    }
  }
  for (const NewMember& member : upgraded.members) {
    text += "zip member " + schemagen::quoted(member.name) + ": " +
            (member.content.empty() ? "added, empty" : "changed to " + schemagen::quoted(member.content)) +
            "\n";
  }
  if (upgraded.is_moved) text += "converted the archive to a PT2 archive with raw tensors\n";
  return text.empty() ? "nothing to change\n" : text;
}

void write_changes(schemagen::JsonWriter& json, const Upgraded& upgraded) {
  json.key("changes").begin('[');
  for (const LoadedProgram& program : upgraded.programs) {
    for (const UpgradeChange& change : program.changes) {
      json.begin('{').key("model");
      program.source.model.empty() ? json.null() : json.string(program.source.model);
      json.key("path").string(printable(change.path)).key("what").string(printable(change.what));
      json.key("step").string(version_text(change.from)).end('}');
    }
  }
  json.end(']').key("members").begin('[');
  for (const NewMember& member : upgraded.members) {
    json.begin('{').key("name").string(member.name).key("content").string(member.content).end('}');
  }
  json.end(']').key("becomes_pt2_archive").boolean(upgraded.is_moved);
}

void write_programs(const ProgramFile& file, const Upgraded& upgraded, const std::string& out) {
  const Archive& archive = *file.archive();
  if (upgraded.is_moved) {
    const LoadedProgram& loaded = upgraded.programs.front();
    return write_parts(
        [&](const ByteSink& sink) {
          write_raw_archive(archive, loaded.source.model, loaded.program, loaded.constants, sink,
                            file.limits());
        },
        out);
  }
  std::vector<NewMember> members;
  for (const LoadedProgram& program : upgraded.programs) {
    for (NewMember& member : model_members(archive, program.source.model, program.program)) {
      members.push_back(std::move(member));
    }
  }
  write_archive(archive, members, out);
}

Upgraded upgrade_to_file(const UpgradeArguments& arguments, const ProgramFile& file,
                         std::optional<FileFormat> format) {
  const Archive* const archive = file.archive();
  const bool is_archive = archive != nullptr && format != FileFormat::json;
  // JSON has room for one program; throws if the choice is ambiguous.
  if (archive != nullptr && !is_archive) find_model(*archive, arguments.loading.model);
  Upgraded upgraded = upgrade_programs(arguments, file, format);
  if (is_archive) {
    write_programs(file, upgraded, arguments.out);
  } else {
    save_program(upgraded.programs.front().program, output_target(arguments.out),
                 {&file, arguments.loading.model});
  }
  return upgraded;
}

int run(const UpgradeArguments& arguments) {
  const DoneReport report(arguments.json, arguments.in, arguments.dry_run ? "" : arguments.out);
  std::optional<FileFormat> format;
  if (!arguments.dry_run) {
    if (arguments.out.empty()) throw schemagen::UsageError("-o OUT or --dry-run is required");
    format = require_output(arguments.out, {FileFormat::json, FileFormat::archive});
  }
  const ProgramFile file = open_program_file(arguments.in);
  if (!arguments.dry_run) require_source(file, arguments.out);
  const Upgraded upgraded = arguments.dry_run ? upgrade_programs(arguments, file, format)
                                              : upgrade_to_file(arguments, file, format);
  report.print([&](schemagen::JsonWriter& json) { write_changes(json, upgraded); });
  if (arguments.dry_run && !arguments.json) write_text(changes_text(upgraded));
  return kDone;
}

}  // namespace

void add_upgrade_command(Command command) {
  const auto arguments = std::make_shared<UpgradeArguments>();
  add_program_argument(command, "IN", arguments->in);
  add_output_option(command, arguments->out,
                    "Output file: an archive if IN is one, otherwise JSON; - for standard output");
  command.add_flag("--dry-run", arguments->dry_run, "Write nothing; print each change with its path");
  add_report_option(command, arguments->json);
  add_model_option(command, arguments->loading.model);
  command.footer(
      "Upgrades programs from torch 2.1 to 2.5 (schemas 1, 2, 5.x, 7.x) and from older minor versions\n"
      "of schema 8 to schema " +
      std::to_string(kSchemaMajor) + "." + std::to_string(kSchemaMinor) +
      ". In an archive, copies everything else byte for byte, and adds\n"
      "members that the current torch requires; OUT.json contains only the program. Adapts calls to\n"
      "operators whose arguments changed up to torch " +
      std::string(operator_releases().schemas) +
      ". Warns about calls that cannot be adapted\n"
      "and about missing operators, because torch may not run them. If torch 2.1 pickled constants in the\n"
      "program, OUT is a PT2 archive with raw records.\n\n"
      "Examples:\n"
      "  pt2 upgrade old.pt2 -o new.pt2\n"
      "  pt2 upgrade old.json --dry-run");
  set_action(command, &arguments->in, [arguments] { return run(*arguments); });
}

}  // namespace pt2::tool
