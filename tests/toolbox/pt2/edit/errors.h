#pragma once

#include <string>
#include <vector>

#include "pt2/verify/verify.h"

inline std::vector<std::string> errors_of(const pt2::ExportedProgram& program) {
  std::vector<std::string> errors;
  for (const pt2::Finding& finding : pt2::verify(program)) {
    if (finding.severity == pt2::Severity::error) errors.push_back(finding.path + ": " + finding.message);
  }
  return errors;
}
