// Loads the weights and constants in a program file.
#pragma once

#include "pt2/archive/tensors/weights.h"
#include "pt2/load_program.h"

namespace pt2 {

/// Returns the weights and constants of the model `model` in `file`, followed by the constants that the
/// program itself contains (torch 2.1). If `model` is nullopt, reads the only model. `file` must outlive the
/// result. See weights_of().
///
/// To determine each weight's kind, this function reads the program without its nodes and tensor types. If
/// `read` is not null, it receives that program; `read->skipped` lists the unknown fields that were skipped.
///
/// If the archive has no programs, returns the weights of the compiled model; see compiled_weights_of().
///
/// Throws DataError if `file` is not an archive. Also throws whatever find_model(), load_program(),
/// weights_of() and compiled_weights_of() throw.
std::vector<Weight> load_weights(const ProgramFile& file,
                                 const std::optional<std::string>& model = std::nullopt,
                                 LoadedProgram* read = nullptr);

/// Returns the constants that the program in `file` itself contains; see LoadedProgram::constants. Only
/// archives written by torch 2.1 have such constants. Throws whatever load_program()
/// throws.
std::vector<NamedTensor> constants_in_program(const ProgramFile& file,
                                              const std::optional<std::string>& model = std::nullopt);

/// Returns the names of the tied weights of the model `model` in `file`; see tied_weights(). Returns no names
/// if `file` is not an archive or if its weights cannot be read.
std::vector<std::string> tied_weights_of(const ProgramFile& file,
                                         const std::optional<std::string>& model = std::nullopt);

}  // namespace pt2
