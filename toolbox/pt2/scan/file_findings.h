// Collects everything that is found in a file and in one program in it.
#pragma once

#include <vector>

#include "pt2/findings/finding.h"
#include "pt2/operators/operators.h"
#include "pt2/program.h"

namespace pt2 {

/// Returns the findings of verify() and, if `file` is an archive, of verify_weights(). `file` can be null.
std::vector<Finding> verify_with_weights(const LoadedProgram& loaded, const ProgramFile* file,
                                         const OperatorSet& operators = {});

/// Returns the findings of scan_file() and verify_with_weights() for a program loaded from `file`. A scan
/// that fails is a finding.
std::vector<Finding> findings_of(const ProgramFile& file, const LoadedProgram& loaded);

}  // namespace pt2
