// Passes, one after the other. All functions may be called from several threads at once.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "pt2/types.h"

namespace pt2 {

/// A function from program to program, with a name for people.
struct Pass {
  std::string name;
  std::function<ExportedProgram(ExportedProgram program)> run;
};

/// Sees what a pass has made of a program.
using PassObserver =
    std::function<void(const std::string& pass, const ExportedProgram& before, const ExportedProgram& after)>;

/// What the passes make of `program`, each of what the one before it made. `observe`, if it is not null, is
/// called after each; pass_printer() (compare/difference_text.h) prints what changed. Errors: those of the
/// passes.
ExportedProgram run_passes(const std::vector<Pass>& passes, ExportedProgram program,
                           const PassObserver& observe = {});

}  // namespace pt2
