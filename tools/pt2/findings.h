// All text is printable.
#pragma once

#include "command.h"
#include "pt2/findings/finding.h"

namespace pt2::tool {

struct FileFindings {
  std::string file;
  std::vector<Finding> findings;
};

bool has_error(const std::vector<Finding>& findings);

/// Returns kDone if there are no errors, kBadInput if is_not_understood() is true for all errors, and
/// otherwise kNo.
ExitCode exit_code_of(const FileFindings& file);

std::string message_text(const Finding& finding);

/// Returns a line such as `FILE: error: RECORD: PATH: MESSAGE (byte 12) [RULE]` for each finding except
/// notes.
std::string findings_text(const FileFindings& file);

/// Returns SARIF 2.1.0, in which a finding's place is the file, and its record and path are logical
/// locations.
std::string findings_sarif(const std::vector<FileFindings>& files, const std::vector<Rule>& rules);

std::string findings_github(const std::vector<FileFindings>& files);

}  // namespace pt2::tool
