#include "pt2/edit/passes.h"

#include <utility>

namespace pt2 {

ExportedProgram run_passes(const std::vector<Pass>& passes, ExportedProgram program,
                           const PassObserver& observe) {
  for (const Pass& pass : passes) {
    if (!observe) {
      program = pass.run(std::move(program));
      continue;
    }
    ExportedProgram changed = pass.run(program);
    observe(pass.name, program, changed);
    program = std::move(changed);
  }
  return program;
}

}  // namespace pt2
