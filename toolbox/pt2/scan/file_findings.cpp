#include "pt2/scan/file_findings.h"

#include <iterator>
#include <utility>
#include <vector>

#include "pt2/scan/scan.h"
#include "pt2/scan/validated_file.h"
#include "pt2/scan/verify_weights.h"
#include "pt2/verify/verify.h"
#include "schemagen/base/error.h"

namespace pt2 {
namespace {

void join_findings(std::vector<Finding>& findings, std::vector<Finding> more) {
  std::move(more.begin(), more.end(), std::back_inserter(findings));
}

}  // namespace

std::vector<Finding> findings_of(const ProgramFile& file, const LoadedProgram& loaded) {
  std::vector<Finding> findings;
  try {
    findings = scan_file(file.bytes().view(), file.limits());
  } catch (const schemagen::DataError& error) {
    findings.push_back(unreadable(error));
  }
  join_findings(findings, verify(loaded.program));
  if (file.archive() != nullptr) {
    join_findings(findings, verify_weights(loaded.program, *file.archive(), loaded.source.model,
                                           loaded.constants, file.limits()));
  }
  return findings;
}

}  // namespace pt2
