// Strings in a program that torch would run as code.
#pragma once

#include <vector>

#include "pt2/types.h"
#include "pt2/verify/verify.h"

namespace pt2 {

/// The findings of the rules that scan_file() shares (FoundBy::both): each text of `program` that torch
/// pastes into source code, evaluates or resolves, and that is not known to be harmless there. verify() finds
/// the same, among others, and gives them in the same order. Arguments and graphs are looked into wherever
/// they stand, also where a sound program has none.
std::vector<Finding> find_code(const ExportedProgram& program);

}  // namespace pt2
