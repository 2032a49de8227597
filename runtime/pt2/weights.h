// The weights of a program's file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pt2/archive/tensors/tensor.h"
#include "pt2/archive/tensors/weights.h"
#include "pt2/load_program.h"
#include "pt2/program_file.h"

namespace pt2 {

/// The weights and constants of the model `model` of `file` (nullopt: the only one), see weights_of(); those
/// of schema 1 that its program has in itself come last. The file must outlive them. The program is read, to
/// know what they are for, but for its nodes and the types of its values. Of an archive without programs,
/// those of the compiled model, see compiled_weights_of(). Errors: those of find_model(), load_program()
/// and these; DataError if the file is not an archive. What a newer schema added to the program is
/// skipped, and named in `read`, which gets what was read of it.
std::vector<Weight> load_weights(const ProgramFile& file,
                                 const std::optional<std::string>& model = std::nullopt,
                                 LoadedProgram* read = nullptr);

/// The constants that a model of `file` has in its program itself, see LoadedProgram::constants: of
/// torch 2.1, whose archives state version 1. None of other archives. Errors: those of load_program().
std::vector<NamedTensor> constants_in_program(const ProgramFile& file,
                                              const std::optional<std::string>& model = std::nullopt);

}  // namespace pt2
