// Collects everything that is found in a file and in one program in it.
#pragma once

#include <vector>

#include "pt2/findings/finding.h"
#include "pt2/program.h"

namespace pt2 {

/// Returns the findings of scan_file(), verify() and verify_weights() for a program loaded from `file`. A
/// scan that fails is a finding.
std::vector<Finding> findings_of(const ProgramFile& file, const LoadedProgram& loaded);

}  // namespace pt2
