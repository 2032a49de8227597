// What is said of files, by scan, by a rule of validate or by a reader, in the formats of the commands. Texts
// for people and services are printable, whatever the files hold. SARIF and GitHub have a source of their
// own.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "common/exit.h"
#include "pt2/report/report_options.h"
#include "pt2/scan/scan.h"
#include "pt2/verify/verify.h"
#include "schemagen/base/error.h"

namespace pt2::tool {

/// One thing that is said of a file. Names and texts are as in the file.
struct FileFinding {
  const Rule* rule = nullptr;
  Severity severity = Severity::error;  // the rule's, or what a policy makes of it
  std::string record;                   // as ScanFinding has it; empty: the file itself
  std::string path;                     // in the program's JSON; empty: all of it, or what is no program
  std::string what;                     // as ScanFinding has it
  std::string message;
  schemagen::Place place;  // in the record
};

/// A FILE argument, and what is said of it.
struct FileFindings {
  std::string file;
  std::vector<FileFinding> findings;
};

std::vector<FileFinding> findings_of(const std::vector<ScanFinding>& findings);
/// `record`: that of the program.
std::vector<FileFinding> findings_of(const std::vector<Finding>& findings, const std::string& record);

/// Of a kind that has a severity.
template <typename AnyFinding>
bool has_error(const std::vector<AnyFinding>& findings) {
  return std::any_of(findings.begin(), findings.end(),
                     [](const AnyFinding& finding) { return finding.severity == Severity::error; });
}

/// Whether it says that a part of the file could not be read: torch may run it all the same.
bool is_not_understood(const FileFinding& finding);

/// kDone: no error; kBadInput: all that errors say is that something is not understood; kNo: others.
tools::ExitCode exit_code_of(const FileFindings& file);

/// Where in the file and what: `models/model.json: graph_module.graph: no nodes`, without the place.
std::string message_text(const FileFinding& finding);

/// A line for each, but for notes: `FILE: error: RECORD: PATH: MESSAGE (byte 12) [RULE]`.
std::string findings_text(const FileFindings& file);

/// SARIF 2.1.0, for code scanning services: one run with `rules`, which are all that findings are of. A
/// finding's place is the file; its record, and its path, are logical locations.
std::string findings_sarif(const std::vector<FileFindings>& files, const std::vector<const Rule*>& rules);

/// For GitHub's log: a workflow command for each finding, but for notes.
std::string findings_github(const std::vector<FileFindings>& files);

/// The members "line", "column" and "offset" of an object, null where the place is not known that way.
void write_place(schemagen::JsonWriter& json, const schemagen::Place& place);

}  // namespace pt2::tool
