// A copy of an archive with another program in place of a model.
#pragma once

#include <vector>

#include "pt2/archive/tensors/tensor.h"
#include "pt2/load_program.h"
#include "pt2/program_file.h"
#include "pt2/save_program.h"

namespace pt2 {

/// Writes a copy of the archive `file` with `loaded.program` in place of the model called
/// `loaded.source.model`, or of the only one. `target` may be that archive. matching_weights() finds the
/// program's weights among `tensors`, its own constants, see LoadedProgram::constants, and the model's
/// weights. The rest of the archive is copied, but sample inputs only if the program's user inputs are as
/// before. Byte for byte if nothing changes but the program.
///
/// Throws UsageError if `file` is not an archive, `loaded` lacks fields, or it has unknown fields and the
/// weights change; DataError if two tensors have one name; what save_program() and matching_weights() throw.
void save_into(const ProgramFile& file, const LoadedProgram& loaded, const SaveTarget& target,
               const std::vector<NamedTensor>& tensors = {});

}  // namespace pt2
