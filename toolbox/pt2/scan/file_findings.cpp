#include "pt2/scan/file_findings.h"

#include "pt2/scan/scan.h"
#include "pt2/scan/validated_file.h"
#include "pt2/scan/verify_weights.h"

namespace pt2 {

std::vector<Finding> verify_with_weights(const LoadedProgram& loaded, const ProgramFile* file,
                                         const OperatorSet& operators) {
  std::vector<Finding> findings = verify(loaded.program, operators);
  if (file != nullptr && file->archive() != nullptr) {
    const std::vector<Finding> of_weights = verify_weights(
        loaded.program, *file->archive(), loaded.source.model, loaded.constants, file->limits());
    findings.insert(findings.end(), of_weights.begin(), of_weights.end());
  }
  return findings;
}

std::vector<Finding> findings_of(const ProgramFile& file, const LoadedProgram& loaded) {
  std::vector<Finding> findings;
  try {
    findings = scan_file(file.bytes().view(), file.limits());
  } catch (const schemagen::DataError& error) {
    findings.push_back(unreadable(error));
  }
  const std::vector<Finding> of_program = verify_with_weights(loaded, &file);
  findings.insert(findings.end(), of_program.begin(), of_program.end());
  return findings;
}

}  // namespace pt2
