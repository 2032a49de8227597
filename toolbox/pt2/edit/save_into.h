// Copies an archive and replaces one of its programs.
#pragma once

#include <vector>

#include "pt2/archive/tensors/tensor.h"
#include "pt2/load_program.h"
#include "pt2/program_file.h"
#include "pt2/save_program.h"

namespace pt2 {

/// Copies the archive `file` to `target`, and replaces the model called `loaded.source.model` (or the only
/// model, if that name is empty) with `loaded.program` in the copy. `target` may be the same file.
/// matching_weights() finds the program's weights among `tensors`, the program's constants (see
/// LoadedProgram::constants) and the model's weights. Weights that the replaced program did not reference
/// either are kept. The rest of the archive is copied, except that sample inputs are dropped if the program's
/// user inputs have changed. If only the program changes, all other parts
/// of the copy are identical byte for byte. If `drop_samples` is true, sample inputs are always dropped.
///
/// Throws UsageError if `file` is not an archive, if fields of `loaded` were left out, or if `loaded` has
/// unknown fields and the weights change. Throws DataError if two tensors have the same name. Also throws
/// whatever save_program() and matching_weights() throw.
void save_into(const ProgramFile& file, const LoadedProgram& loaded, const SaveTarget& target,
               const std::vector<NamedTensor>& tensors = {}, bool drop_samples = false);

}  // namespace pt2
