// What a program costs in all, for people: numbers as `pt2 stats` prints them.
#pragma once

#include <string>
#include <vector>

#include "pt2/report/columns.h"
#include "pt2/stats/stats.h"

namespace pt2 {

/// `1,234`, `2*s0 + 1`
std::string shown(const Polynomial& value);

/// A row for each number: {"parameters", "144 (576 bytes)"}.
std::vector<Row> stats_rows(const ProgramStats& stats);

}  // namespace pt2
