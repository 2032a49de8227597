// Differences between programs for people. All functions may be called from several threads at once.
#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "pt2/compare/program_diff.h"
#include "pt2/show/print.h"
#include "pt2/types.h"

namespace pt2 {

/// What `pt2 diff` prints: lines with `- ` that the first program has, with `+ ` that the second has, in
/// brackets what of it changed, and how many differences there are.
std::string difference_text(const std::vector<Difference>& differences, Colours colours = Colours::none);

/// What run_passes() (edit/passes.h) is given to print, as difference_text(), what each pass changed:
/// `fuse:`, then the differences. `out` must outlive it.
std::function<void(const std::string& pass, const ExportedProgram& before, const ExportedProgram& after)>
pass_printer(std::ostream& out);

}  // namespace pt2
