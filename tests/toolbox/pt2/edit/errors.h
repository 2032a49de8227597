// What is wrong with a program that was edited.
#pragma once

#include <string>
#include <vector>

#include "pt2/verify/verify.h"

/// The errors that verify() finds in `program`, as "path: message".
inline std::vector<std::string> errors_of(const pt2::ExportedProgram& program) {
  std::vector<std::string> errors;
  for (const pt2::Finding& finding : pt2::verify(program)) {
    if (finding.severity == pt2::Severity::error) errors.push_back(finding.path + ": " + finding.message);
  }
  return errors;
}
