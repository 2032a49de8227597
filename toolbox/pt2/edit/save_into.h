// Copies an archive with another program in place of a model.
#pragma once

#include <vector>

#include "pt2/archive/tensors/tensor.h"
#include "pt2/load_program.h"
#include "pt2/program_file.h"
#include "pt2/save_program.h"

namespace pt2 {

/// Writes a copy of the archive `file` with `loaded.program` in place of the model called
/// `loaded.source.model`, or of the only one. `target` may be that archive. matching_weights() finds the
/// program's weights among `tensors`, its own constants (see LoadedProgram::constants) and the model's
/// weights. The rest of the archive is copied, but sample inputs only if the program's user inputs have not
/// changed. If only the program changes, the copy is otherwise identical byte for byte.
///
/// Throws UsageError if `file` is not an archive, if `loaded` lacks fields, or if it has unknown fields and
/// the weights change; DataError if two tensors have the same name; and the errors of save_program() and
/// matching_weights().
void save_into(const ProgramFile& file, const LoadedProgram& loaded, const SaveTarget& target,
               const std::vector<NamedTensor>& tensors = {});

}  // namespace pt2
