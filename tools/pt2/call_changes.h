// Messages about operators when a program is ported to another release of PyTorch.
#pragma once

#include <string>
#include <vector>

#include "pt2/edit/port_calls.h"
#include "pt2/types.h"

namespace pt2::tool {

/// Returns a line for each changed call: `FILE: note: ...` if it was ported, `FILE: LEVEL: ...` if it cannot
/// be.
std::string call_lines(const std::string& path, const std::vector<CallChange>& calls,
                       const std::string& level);

/// Returns a line `FILE: warning: ...` for each operator of PyTorch in `program` that `release`, such as
/// `2.6`, lacks.
std::string missing_operators(const std::string& path, const ExportedProgram& program,
                              const std::string& release);

}  // namespace pt2::tool
