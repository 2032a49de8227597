// What commands say of operators when a program goes to another release of PyTorch.
#pragma once

#include <string>
#include <vector>

#include "pt2/edit/port_calls.h"
#include "pt2/types.h"

namespace pt2::tool {

/// One line for each call that is to be changed: `FILE: note: ...` if it was, `FILE: LEVEL: ...` if it cannot
/// be.
std::string call_lines(const std::string& path, const std::vector<CallChange>& calls,
                       const std::string& level);

/// One line for each operator of PyTorch in `program` that its `release`, `2.6`, does not have,
/// `FILE: warning: ...`.
std::string missing_operators(const std::string& path, const ExportedProgram& program,
                              const std::string& release);

}  // namespace pt2::tool
