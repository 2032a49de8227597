#include "each_file.h"
#include "findings.h"
#include "pt2/report/finding_json.h"
#include "pt2/report/reports.h"
#include "pt2/scan/validated_file.h"
#include "pt2/text/literal.h"
#include "pt2/versions/version.h"
#include "rule_levels.h"
#include "schemagen/base/counted.h"

namespace pt2::tool {
namespace {

struct ValidateArguments : FileArguments {
  bool no_checksums = false;
  RuleLevels levels;
};

struct FileResult : ValidatedFile {
  ExitCode exit_code = kDone;
};

FileResult result_of(const std::string& path, const RuleLevels& levels, const OperatorSet& operators,
                     RecordChecksums checksums) {
  try {
    FileResult file{validate_file(read_input(path), operators, schemagen::UnknownFields::skip, checksums)};
    for (GoodProgram& program : file.programs) {
      levels.apply(program.findings);
      if (has_error(program.findings)) file.exit_code = kNo;
    }
    if (!file.unreadable.empty()) file.exit_code = kBadInput;
    return file;
  } catch (const schemagen::DataError& error) {
    return {{{}, {{std::nullopt, unreadable(error)}}, {}}, kBadInput};
  } catch (const schemagen::IoError& error) {
    return {{{}, {{std::nullopt, unreadable(schemagen::DataError(error.what()))}}, {}}, kIoError};
  }
}

std::string error_text(const Finding& finding) {
  return schemagen::DataError(finding.message, finding.path, finding.place).what();
}

/// One per program, read or not, with its model if there are several.
std::string text_of(const std::string& path, const FileResult& result) {
  const std::string file = shown_path(path);
  const bool has_several = result.programs.size() + result.unreadable.size() > 1;
  std::string text;
  for (const GoodProgram& program : result.programs) {
    text += notice_lines(path, skipped_notices(program.skipped, program.written_by)) +
            findings_text({path, program.findings});
    if (has_error(program.findings)) continue;
    const std::string model =
        has_several && program.model ? "model " + string_literal(*program.model) + ", " : "";
    const auto old = old_version_text(program.upgraded_from);
    text += file + ": ok (" + model + "schema " + version_text(program.version) +
            (old ? " after an upgrade from " + *old : "") + ", " + schemagen::counted(program.nodes, "node") +
            ")\n";
  }
  if (!result.compiled.empty()) {
    text += file + ": note: " + printable(result.compiled) + " has no exported program to validate\n";
  }
  for (const Unreadable& unread : result.unreadable) {
    const std::string model =
        has_several && unread.model ? "model " + string_literal(*unread.model) + ": " : "";
    text += file + ": error: " + model + printable(error_text(unread.finding)) + "\n";
  }
  return text;
}

void write_program(ReportWriter& json, const GoodProgram& program) {
  const auto skipped = [&] {
    json.list(program.skipped, [&](const schemagen::SkippedField& field) {
      json.object("path", printable(field.path), [&] { write_place(json, field.place); });
    });
  };
  json.object("model", program.model, "schema_version", version_text(program.version), "upgraded_from",
              old_version_text(program.upgraded_from), "nodes", program.nodes, "skipped", skipped);
}

/// "model" is null outside archives and for errors about the whole file; unknown positions are null.
/// "compiled" says which compiled models a package without programs has.
void write_result(ReportWriter& json, const std::string& path, const FileResult& result) {
  json.begin('{');
  json.members("file", shown_path(path), "ok", result.exit_code == kDone);
  json.list("programs", result.programs, [&](const GoodProgram& program) { write_program(json, program); });
  json.list("errors", result.unreadable, [&](const Unreadable& unread) {
    json.object("model", unread.model, "reason", printable(unread.finding.message), "path",
                printable(unread.finding.path), [&] { write_place(json, unread.finding.place); });
  });
  json.list("findings", result.programs, [&](const GoodProgram& program) {
    for (const Finding& finding : program.findings) {
      json.object([&] { write_finding(json, finding, "rule level path message"); });
    }
  });
  if (!result.compiled.empty()) json.members("compiled", result.compiled);
  json.end('}');
}

int run(ValidateArguments& arguments) {
  arguments.levels.read();
  const OperatorSet operators = operators_of(arguments.operators);
  ReportWriter json;
  json.begin('[');
  const auto validate = [&](const std::string& path) {
    return result_of(path, arguments.levels, operators,
                     arguments.no_checksums ? RecordChecksums::skip : RecordChecksums::compare);
  };
  const int exit_code = for_each_file(arguments.files, validate, [&](const std::string& path, auto& future) {
    const FileResult& result = future.get();
    arguments.json ? write_result(json, path, result) : write_text(text_of(path, result));
    return result.exit_code;
  });
  json.end(']');
  if (arguments.json) write_output(std::string(json.view()) + "\n");
  return exit_code;
}

}  // namespace

void add_validate_command(Command command) {
  auto& arguments = add_arguments<ValidateArguments>(command);
  add_program_arguments(command, arguments.files, "Programs to check, including all models of an archive");
  command.add_flag("--json", arguments.json, "Print a JSON array with an object for each file");
  arguments.levels.add_options(command);
  add_operators_option(command, arguments.operators);
  command.add_flag("--no-checksums", arguments.no_checksums,
                   "Skip verifying record checksums, which requires reading the whole file");
  command.footer(
      "Checks all files and exits with the worst code: 4 if a file cannot be read, 3 if one violates the\n"
      "schema, 1 if a rule finds an error. `pt2 rules` lists the rules, and `pt2 explain RULE` explains\n"
      "one. Notes appear only with --json.\n\n"
      "Examples:\n"
      "  pt2 validate *.pt2\n"
      "  pt2 validate model.json --rule VALUE_UNUSED=error\n"
      "  pt2 validate model.json --json");
}

}  // namespace pt2::tool
