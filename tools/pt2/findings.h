// Prints the findings of a file. Text for people and services is always printable. SARIF and GitHub have
// separate sources.
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

/// Returns whether it reports that a part of the file could not be read: torch may still run it.
bool is_not_understood(const Finding& finding);

/// Returns kDone without errors; kBadInput if all errors are is_not_understood(); otherwise kNo.
tools::ExitCode exit_code_of(const FileFindings& file);

/// Returns the place in the file and the message: `models/model.json: graph_module.graph: no nodes`.
std::string message_text(const Finding& finding);

/// Returns a line for each finding except notes: `FILE: error: RECORD: PATH: MESSAGE (byte 12) [RULE]`.
std::string findings_text(const FileFindings& file);

/// The keys of a finding in JSON. Commands choose and order them.
enum class FindingKey { file, level, message, path, position, record, rule, what, place };

/// Writes an object with `keys`; `file` is the FILE argument.
void write_finding(schemagen::JsonWriter& json, const std::string& file, const Finding& finding,
                   std::initializer_list<FindingKey> keys);

/// Writes the members "line", "column" and "offset"; unknown ones are null.
void write_place(schemagen::JsonWriter& json, const schemagen::Place& place);

/// Returns SARIF 2.1.0, for code scanning services: one run with `rules`, which has the rule of each finding.
/// A finding's place is the file; its record and its path are logical locations.
std::string findings_sarif(const std::vector<FileFindings>& files, const std::vector<const Rule*>& rules);

/// Returns workflow commands for GitHub's log, one per finding except notes.
std::string findings_github(const std::vector<FileFindings>& files);

}  // namespace pt2::tool
