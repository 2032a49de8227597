#include "pt2/scan/file_findings.h"

#include <vector>

#include "pt2/scan/scan.h"
#include "pt2/scan/validated_file.h"
#include "pt2/scan/verify_weights.h"
#include "pt2/verify/verify.h"
#include "schemagen/base/error.h"

namespace pt2 {

std::vector<Finding> findings_of(const ProgramFile& file, const LoadedProgram& loaded) {
  std::vector<Finding> findings;
  const auto add = [&](const std::vector<Finding>& more) {
    findings.insert(findings.end(), more.begin(), more.end());
  };
  try {
    findings = scan_file(file.bytes().view(), file.limits());
  } catch (const schemagen::DataError& error) {
    findings.push_back(unreadable(error));
  }
  add(verify(loaded.program));
  if (file.archive() != nullptr) {
    add(verify_weights(loaded.program, *file.archive(), loaded.source.model, loaded.constants,
                       file.limits()));
  }
  return findings;
}

}  // namespace pt2
