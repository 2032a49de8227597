// Finds what torch would run when it loads a program.
#pragma once

#include "pt2/scan/scan_state.h"
#include "pt2/types.h"

namespace pt2 {

void scan_program(const ExportedProgram& program, std::string_view record, ScanState& state);

/// Scans the JSON of a program in any supported version. Also scans the pickles that torch 2.1 wrote into it.
/// Reports unreadable JSON as a finding.
void scan_program_json(std::string_view json, std::string_view record, ScanState& state);

}  // namespace pt2
