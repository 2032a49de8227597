#pragma once

#include <vector>

#include "pt2/types.h"
#include "pt2/verify/verify.h"

namespace pt2 {

/// Returns the findings of the rules that scan_file() shares (FoundBy::both): strings that torch pastes into
/// source code, evaluates or resolves, and that are not known to be harmless there. The findings have the
/// same order as those of verify(). Searches arguments and graphs even where a valid program has none.
std::vector<Finding> find_code(const ExportedProgram& program);

}  // namespace pt2
