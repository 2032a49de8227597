#pragma once

#include <string>
#include <vector>

#include "pt2/report/columns.h"
#include "pt2/stats/stats.h"

namespace pt2 {

/// Returns a number or polynomial as text, e.g. `1,234` or `2*s0 + 1`.
std::string shown(const Polynomial& value);

std::vector<Row> stats_rows(const ProgramStats& stats);

}  // namespace pt2
