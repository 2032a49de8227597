// What torch runs of a program when it loads it.
#pragma once

#include <string_view>

#include "pt2/scan/scan_state.h"
#include "pt2/types.h"

namespace pt2 {

/// Finds what torch would run of `program`, that of `record`.
void scan_program(const ExportedProgram& program, std::string_view record, ScanState& state);

/// The same for the JSON of a program of any version that can be read. Of schema 1 (torch 2.1), also what is
/// pickled in it. That it cannot be read, is found.
void scan_program_json(std::string_view json, std::string_view record, ScanState& state);

}  // namespace pt2
