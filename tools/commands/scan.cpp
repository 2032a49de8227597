// `pt2 scan`: what in files could run code.
#include "pt2/scan/scan.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "command.h"
#include "console.h"
#include "json_builder.h"
#include "pt2/binary/binary_file.h"
#include "pt2/json.h"
#include "pt2/program.h"
#include "report.h"
#include "scan_sarif.h"
#include "schemagen/json/json.h"
#include "schemagen/value/error.h"
#include "schemagen/value/quote.h"

namespace pt2::tool {
namespace {

struct Arguments {
  std::vector<std::string> files;
  std::string format = "text";
};

/// A .pt2b file is looked at as the JSON that it stands for, all others as they are.
std::vector<ScanFinding> scan_path(const std::string& path) {
  FileBytes bytes = path == "-" ? FileBytes(read_all(stdin, "<stdin>")) : read_file(path);
  if (!looks_like(kPt2b, bytes.view())) return scan_file(bytes.view());
  return scan_file(schemagen::to_json(load_program(ProgramFile(std::move(bytes))).program));
}

std::string text_of(const ScannedFile& file) {
  std::string text;
  for (const ScanFinding& finding : file.findings) {
    if (finding.rule->level == Level::note) continue;
    const std::string record = schemagen::shortened(schemagen::printable(finding.record));
    text += shown_path(file.path) + ": " + level_text(finding.rule->level) + ": " + record +
            (record.empty() ? "" : ": ") + schemagen::printable(finding.message);
    if (finding.position) text += " (byte " + std::to_string(*finding.position) + ")";
    text += std::string(" [") + finding.rule->id + "]\n";
  }
  return text.empty() ? shown_path(file.path) + ": nothing in it could run code\n" : text;
}

std::string json_of(const std::vector<ScannedFile>& files) {
  JsonBuilder json;
  json.begin('[');
  for (const ScannedFile& file : files) {
    for (const ScanFinding& finding : file.findings) {
      json.begin('{').key("file").string(schemagen::printable(file.path));
      json.key("record").string(schemagen::printable(finding.record));
      json.key("rule").string(finding.rule->id).key("level").string(level_text(finding.rule->level));
      json.key("what").string(schemagen::printable(finding.what));
      json.key("message").string(schemagen::printable(finding.message));
      const auto& position = finding.position;
      json.key("position")
          .integer_or_null(position ? std::optional(static_cast<std::int64_t>(*position)) : std::nullopt);
      json.end('}');
    }
  }
  json.end(']');
  return std::string(json.view()) + "\n";
}

bool could_run(const ScannedFile& file) {
  return std::any_of(file.findings.begin(), file.findings.end(),
                     [](const ScanFinding& finding) { return finding.rule->level != Level::note; });
}

int run(const Arguments& arguments) {
  std::vector<ScannedFile> files;
  int exit_code = kDone;
  for (const std::string& path : arguments.files) {
    const int code = reported("scan", &path, [&] {
      files.push_back({path, scan_path(path)});
      return could_run(files.back()) ? kNo : kDone;
    });
    exit_code = std::max(exit_code, code);
  }
  std::string text;
  if (arguments.format == "text") {
    for (const ScannedFile& file : files) text += text_of(file);
  } else {
    text = arguments.format == "json" ? json_of(files) : scan_sarif(files, PT2_VERSION);
  }
  write_output(text);
  return exit_code;
}

}  // namespace

void add_scan_command(CommandLine& line) {
  const auto arguments = std::make_shared<Arguments>();
  Command command = line.add_subcommand("scan", "Find what in files could run code when torch loads them");
  command.add_option("FILE", arguments->files, "Any file that torch loads; - is standard input")
      .required()
      .type_name("");
  command.add_option("--format", arguments->format, "text, json or sarif (default: text)")
      .type_name("FORMAT")
      .one_of({"text", "json", "sarif"});
  command.footer(
      "Pickles of any protocol, in archives in archives and in the JSON of torch 2.1, native code, source\n"
      "code, and archives whose parts contradict each other, told by content and not by name. Nothing is\n"
      "loaded. Notes, on what cannot run code, are in JSON and SARIF only. `pt2 explain RULE` describes a\n"
      "rule. All files are scanned; the exit code is 1 if there is an error or warning, 3 if a file is not\n"
      "one that torch loads, 4 if it cannot be read.\n\n"
      "Examples:\n"
      "  pt2 scan model.pt2\n"
      "  pt2 scan *.pt2 *.pth --format json | jq '.[] | select(.rule == \"PICKLE_GLOBAL\") | .what'\n"
      "  pt2 scan model.pt2 --format sarif > scan.sarif");
  set_action(command, nullptr, [arguments] { return run(*arguments); });
}

}  // namespace pt2::tool
