#include <memory>
#include <utility>

#include "call_changes.h"
#include "command.h"
#include "console.h"
#include "each_model.h"
#include "input.h"
#include "output.h"
#include "pt2/archive/tensors/weights.h"
#include "pt2/edit/port_calls.h"
#include "pt2/json.h"
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

void port(const std::string& path, LoadedProgram& loaded) {
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
  const std::string file = shown_path(path);
  write_diagnostic(call_lines(file, refused, "warning") + missing_operators(file, loaded.program, to));
}

/// Old zips could only pickle constants, so these need a PT2 archive. torch never wrote several programs
/// then: DataError.
bool is_moved(const std::vector<LoadedProgram>& programs) {
  for (const LoadedProgram& program : programs) {
    if (program.constants.empty()) continue;
    if (programs.size() == 1) return true;
    throw schemagen::DataError("the model " + schemagen::quoted(program.source.model) +
                               " contains constants and must be upgraded separately; choose it with --model");
  }
  return false;
}

struct PrintedChange {
  std::string model;  // empty for a single program
  std::string path;
  std::string what;
  std::string step;
};

struct Upgraded {
  std::vector<LoadedProgram> programs;
  std::vector<PrintedChange> changes;
  bool is_moved = false;
  std::vector<NewMember> members;  // for the archive, besides the programs
};

void add_changes(const LoadedProgram& program, std::vector<PrintedChange>& changes) {
  for (const UpgradeChange& change : program.changes) {
    changes.push_back(
        {program.source.model, printable(change.path), printable(change.what), version_text(change.from)});
  }
}

Upgraded upgrade_programs(const UpgradeArguments& arguments, const ProgramFile& file,
                          std::optional<FileFormat> format) {
  LoadOptions options = arguments.loading;
  options.upgrading = Upgrading::all;
  options.upgrade.report_changes = arguments.dry_run || arguments.json;
  Upgraded upgraded;
  // JSON has room for only one.
  const auto models = format == FileFormat::json
                          ? std::vector<std::optional<std::string>>{arguments.loading.model}
                          : models_of(file, arguments.loading.model);
  for (const std::optional<std::string>& model : models) {
    options.model = model;
    upgraded.programs.push_back(load_to_write(arguments.in, file, options, FileFormat::json));
    port(arguments.in, upgraded.programs.back());
    add_changes(upgraded.programs.back(), upgraded.changes);
  }
  upgraded.is_moved = is_moved(upgraded.programs);
  const Archive* const archive = file.archive();
  if (archive != nullptr && format != FileFormat::json && !upgraded.is_moved) {
    upgraded.members = version_members(*archive, upgraded.programs.front().program.schema_version);
  }
  return upgraded;
}

std::string changes_text(const Upgraded& upgraded) {
  const bool names_model = upgraded.programs.size() > 1;
  std::string text;
  for (const PrintedChange& change : upgraded.changes) {
    if (names_model) text += "model " + string_literal(change.model) + ": ";
    text += change.path + ": " + change.what + " (upgrade from schema " + change.step + ")\n";
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
  for (const PrintedChange& change : upgraded.changes) {
    json.begin('{').key("model");
    change.model.empty() ? json.null() : json.string(change.model);
    json.key("path").string(change.path).key("what").string(change.what).key("step").string(change.step);
    json.end('}');
  }
  json.end(']').key("members").begin('[');
  for (const NewMember& member : upgraded.members) {
    json.begin('{').key("name").string(member.name).key("content").string(member.content).end('}');
  }
  json.end(']').key("becomes_pt2_archive").boolean(upgraded.is_moved);
}

void write_upgraded(const ProgramFile& file, const Upgraded& upgraded, const SaveTarget& target) {
  if (upgraded.is_moved || target.format() != FileFormat::archive) {
    return save_program(upgraded.programs.front(), target, {&file});
  }
  const Archive& archive = *file.archive();
  std::vector<NewMember> members = upgraded.members;
  for (const LoadedProgram& program : upgraded.programs) {
    members.push_back(
        {find_model(archive, program.source.model).member, schemagen::to_json(program.program)});
  }
  target.write([&](const ByteSink& sink) { rewrite_archive(archive, members, sink); });
}

int run(const UpgradeArguments& arguments) {
  const DoneReport report(arguments.json, arguments.in, arguments.dry_run ? "" : arguments.out);
  std::optional<FileFormat> format;
  if (!arguments.dry_run) {
    if (arguments.out.empty()) throw schemagen::UsageError("-o OUT or --dry-run is required");
    format = require_output(arguments.out, {FileFormat::json, FileFormat::archive});
  }
  const ProgramFile file = open_input(arguments.in);
  if (!arguments.dry_run) require_source(file, arguments.out);
  const FileFormat own = file.archive() != nullptr ? FileFormat::archive : FileFormat::json;
  const SaveTarget target = output_target(arguments.out, format.value_or(own));
  const Upgraded upgraded = upgrade_programs(arguments, file, format);
  if (!arguments.dry_run) write_upgraded(file, upgraded, target);
  report.print([&](schemagen::JsonWriter& json) { write_changes(json, upgraded); });
  if (arguments.dry_run && !arguments.json) {
    const std::string text = changes_text(upgraded);
    write_text(text);
  }
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
      "Upgrades programs that torch 2.1 to 2.5 wrote (schemas 1, 2, 5.x, 7.x), and programs of older minor\n"
      "versions of schema 8, to schema " +
      std::to_string(kSchemaMajor) + "." + std::to_string(kSchemaMinor) +
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
  set_action(command, &arguments->in, [arguments] { return run(*arguments); });
}

}  // namespace pt2::tool
