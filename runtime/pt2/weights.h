// The weights of a program file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pt2/archive/tensors/tensor.h"
#include "pt2/archive/tensors/weights.h"
#include "pt2/load_program.h"
#include "pt2/program_file.h"

namespace pt2 {

/// Returns the weights and constants of the model `model` in `file` (nullopt: the only one); see
/// weights_of(). They are followed by those that the program itself contains (schema 1). `file` must outlive
/// them. To find out their roles, reads the program, except its nodes and the types of its values, into
/// `read` if given; unknown fields are skipped and named there. For an archive without programs, returns the
/// weights of the compiled model; see compiled_weights_of(). Throws the errors of find_model(),
/// load_program() and these functions, and DataError if `file` is not an archive.
std::vector<Weight> load_weights(const ProgramFile& file,
                                 const std::optional<std::string>& model = std::nullopt,
                                 LoadedProgram* read = nullptr);

/// Returns the constants that the program in `file` itself contains; see LoadedProgram::constants. Only
/// archives of torch 2.1, with schema version 1, have them. Throws the errors of load_program().
std::vector<NamedTensor> constants_in_program(const ProgramFile& file,
                                              const std::optional<std::string>& model = std::nullopt);

/// Returns tied_weights() for the model `model` in `file`. Empty if `file` is not an archive or its weights
/// cannot be read.
std::vector<std::string> tied_weights_of(const ProgramFile& file,
                                         const std::optional<std::string>& model = std::nullopt);

}  // namespace pt2
