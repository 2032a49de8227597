#include "pt2/scan/scan.h"

#include "each_file.h"
#include "findings.h"
#include "pt2/report/finding_json.h"
#include "schemagen/base/quote.h"

namespace pt2::tool {
namespace {

struct ScanArguments : FileArguments {
  std::string format = "text";
};

std::string text_of(const FileFindings& file) {
  const std::string text = findings_text(file);
  return text.empty() ? shown_path(file.file) + ": found nothing that could run code\n" : text;
}

std::string scan_json(const std::vector<FileFindings>& files) {
  ReportWriter json;
  json.list(files, [&](const FileFindings& file) {
    for (const Finding& finding : file.findings) {
      json.object("file", schemagen::printable(file.file), [&] {
        write_finding(json, finding, "record rule level what message");
        json.members("position", finding.place.offset);
      });
    }
  });
  return json.text() + "\n";
}

int run(const ScanArguments& arguments) {
  std::vector<FileFindings> files;
  std::string text;
  const auto scan = [](const std::string& path) {
    return FileFindings{path, scan_file(read_input(path).view())};
  };
  const int exit_code = for_each_file(arguments.files, scan, [&](const std::string& path, auto& result) {
    const int code = reported("scan", &path, [&] {
      files.push_back(result.get());
      text += text_of(files.back());
      return exit_code_of(files.back());
    });
    if (code == kBadInput) text += shown_path(path) + ": could not be interpreted; torch may run it\n";
    return code;
  });
  if (arguments.format != "text") {
    text = arguments.format == "json" ? scan_json(files) : findings_sarif(files, scan_rules());
  }
  arguments.format == "text" ? write_text(text) : write_output(text);
  return exit_code;
}

}  // namespace

void add_scan_command(Command command) {
  auto& arguments = add_arguments<ScanArguments>(command);
  add_program_arguments(command, arguments.files,
                        "Files to scan, of any kind that torch loads; - for standard input");
  command.add_option("--format FORMAT", arguments.format, "text, json or sarif (default: text)")
      .one_of({"text", "json", "sarif"});
  command.footer(
      "Reports an error for anything in a file that could run code, and for anything that cannot be fully\n"
      "interpreted: programs with strings that torch evaluates, pickles, compiled models, unknown\n"
      "records, and archives that readers interpret differently. Loads nothing. Notes, which are about\n"
      "harmless parts, appear only in JSON and SARIF. `pt2 explain RULE` explains a rule. Scans all\n"
      "files. The exit code is 1 if anything could run code; 3 if all findings are parts that could not\n"
      "be interpreted, which torch may still run; 4 if a file cannot be read.\n\n"
      "Examples:\n"
      "  pt2 scan model.pt2\n"
      "  pt2 scan *.pt2 *.pth --format json | jq '.[] | select(.rule == \"PICKLE_GLOBAL\") | .what'\n"
      "  pt2 scan model.pt2 --format sarif > scan.sarif");
}

}  // namespace pt2::tool
