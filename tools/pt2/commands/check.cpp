#include "each_file.h"
#include "findings.h"
#include "pt2/report/finding_json.h"
#include "pt2/scan/check_file.h"
#include "rule_levels.h"
#include "schemagen/base/quote.h"

namespace pt2::tool {
namespace {

struct CheckArguments : FileArguments {
  std::string format = "text";
  std::string policy = "strict";
  RuleLevels levels;
  bool no_checksums = false;
};

std::string text_of(const std::vector<FileFindings>& files) {
  std::string text;
  for (const FileFindings& file : files) {
    text += findings_text(file);
    if (!has_error(file.findings)) text += shown_path(file.file) + ": ok\n";
  }
  return text;
}

std::string check_json(const std::vector<FileFindings>& files) {
  ReportWriter json;
  json.list(files, [&](const FileFindings& file) {
    json.object("file", schemagen::printable(file.file), "ok", !has_error(file.findings), "findings", [&] {
      json.list(file.findings, [&](const Finding& finding) {
        json.object([&] {
          write_finding(json, finding, "rule level record path what message");
          write_place(json, finding.place);
        });
      });
    });
  });
  return json.text() + "\n";
}

std::string text_in(const std::string& format, const std::vector<FileFindings>& files) {
  if (format == "json") return check_json(files);
  if (format == "sarif") return findings_sarif(files, rules());
  return format == "github" ? findings_github(files) : text_of(files);
}

int run(CheckArguments& arguments) {
  arguments.levels.read();
  const CheckOptions options{policy_named(arguments.policy), operators_of(arguments.operators),
                             arguments.no_checksums ? RecordChecksums::skip : RecordChecksums::compare};
  const auto check = [&](const std::string& path) {
    FileFindings file{path, check_file([&] { return read_input(path); }, options)};
    arguments.levels.apply(file.findings);
    return file;
  };
  std::vector<FileFindings> files;
  const int exit_code = for_each_file(arguments.files, check, [&](const std::string& path, auto& result) {
    return reported("check", &path, [&] {
      files.push_back(result.get());
      return exit_code_of(files.back());
    });
  });
  const std::string text = text_in(arguments.format, files);
  arguments.format == "text" ? write_text(text) : write_output(text);
  return exit_code;
}

}  // namespace

void add_check_command(Command command) {
  auto& arguments = add_arguments<CheckArguments>(command);
  add_program_arguments(command, arguments.files, "Programs to check; - for standard input");
  command.add_option("--policy POLICY", arguments.policy, "strict, load or inspect (default: strict)")
      .one_of({"strict", "load", "inspect"});
  arguments.levels.add_options(command);
  command.add_option("--format FORMAT", arguments.format, "text, json, sarif or github (default: text)")
      .one_of({"text", "json", "sarif", "github"});
  add_operators_option(command, arguments.operators);
  command.add_flag("--no-checksums", arguments.no_checksums,
                   "Skip verifying record checksums, which requires reading the whole file");
  command.footer(
      "Looks for code that torch could run (`pt2 scan`), violations of the schema, the rules and the\n"
      "limits, and weights that do not match their records (`pt2 validate`). The policy decides what\n"
      "counts as an error:\n"
      "  strict   everything except notes: for files that are used without review\n"
      "  load     anything that torch would run when it loads the file, or that torch or another runtime\n"
      "           would reject or misread; everything else is a warning\n"
      "  inspect  anything that pt2, which runs nothing, cannot read; everything else is a warning\n"
      "--rule and --rules override the policy. Notes appear only in JSON and SARIF. `pt2 explain RULE`\n"
      "explains a rule. Checks all files and exits with the worst code: 1 for an error; 3 if a file's\n"
      "only errors are parts that could not be interpreted, which torch may still run; 4 if a file cannot\n"
      "be opened.\n\n"
      "Examples:\n"
      "  pt2 check *.pt2\n"
      "  pt2 check model.pt2 --policy load --format github\n"
      "  pt2 check model.pt2 --rule META_STRIDE=off --rules rules.txt\n"
      "  pt2 check *.pt2 --format sarif > check.sarif");
}

}  // namespace pt2::tool
