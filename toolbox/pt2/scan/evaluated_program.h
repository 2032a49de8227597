// Finds what torch runs of a program on loading.
#pragma once

#include <string_view>

#include "pt2/scan/scan_state.h"
#include "pt2/types.h"

namespace pt2 {

/// Finds code in `program`, which is in `record`.
void scan_program(const ExportedProgram& program, std::string_view record, ScanState& state);

/// The same for the JSON of a program of any supported version. Also scans pickles inside programs of schema
/// 1 (torch 2.1). Unreadable JSON is a finding.
void scan_program_json(std::string_view json, std::string_view record, ScanState& state);

}  // namespace pt2
