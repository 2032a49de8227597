// The findings of a file, as the commands print them. Texts for people and services are printable, whatever
// the files hold. SARIF and GitHub have a source of their own.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "common/exit.h"
#include "pt2/findings/finding.h"
#include "pt2/report/report_options.h"

namespace pt2::tool {

/// A FILE argument and its findings.
struct FileFindings {
  std::string file;
  std::vector<Finding> findings;
};

bool has_error(const std::vector<Finding>& findings);

/// Whether it says that a part of the file could not be read: torch may run it all the same.
bool is_not_understood(const Finding& finding);

/// Returns kDone without errors; kBadInput if all errors say that something is not understood; else kNo.
tools::ExitCode exit_code_of(const FileFindings& file);

/// Returns where in the file and what: `models/model.json: graph_module.graph: no nodes`, without the place.
std::string message_text(const Finding& finding);

/// Returns a line for each finding but notes: `FILE: error: RECORD: PATH: MESSAGE (byte 12) [RULE]`.
std::string findings_text(const FileFindings& file);

/// What the JSON of a command says of a finding. The commands differ in the choice and order.
enum class FindingKey { file, level, message, path, position, record, rule, what, place };

/// Writes an object with `keys`; `file` is the FILE argument.
void write_finding(schemagen::JsonWriter& json, const std::string& file, const Finding& finding,
                   std::initializer_list<FindingKey> keys);

/// Writes the members "line", "column" and "offset" of an object, null where the place is not known that way.
void write_place(schemagen::JsonWriter& json, const schemagen::Place& place);

/// Returns SARIF 2.1.0, for code scanning services: one run with `rules`, which has the rule of each finding.
/// A finding's place is the file; its record and its path are logical locations.
std::string findings_sarif(const std::vector<FileFindings>& files, const std::vector<const Rule*>& rules);

/// Returns workflow commands for GitHub's log, one for each finding but notes.
std::string findings_github(const std::vector<FileFindings>& files);

}  // namespace pt2::tool
