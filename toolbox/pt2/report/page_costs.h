// Describes what a program costs, for a page, as JSON.
#pragma once

#include <string>

#include "pt2/types.h"

namespace pt2 {

/// Returns JSON for toolbox/pt2/page/cost.js: the facts that `pt2 stats` prints first, the costs of each
/// module, and an example of each symbol's size. For a program that cannot be counted, the facts say why.
std::string page_costs(const ExportedProgram& program);

}  // namespace pt2
