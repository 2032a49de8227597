#pragma once

#include <string>
#include <vector>

#include "pt2/edit/port_calls.h"
#include "pt2/types.h"

namespace pt2::tool {

/// Returns a line `FILE: note: ...` for each ported call, and `FILE: LEVEL: ...` for all others. FILE comes
/// from shown_path().
std::string call_lines(const std::string& file, const std::vector<CallChange>& calls,
                       const std::string& level);

std::string missing_operators(const std::string& file, const ExportedProgram& program,
                              const std::string& release);

}  // namespace pt2::tool
