// The weights of a program's file, and programs written together with theirs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pt2/archive/tensors/weights.h"
#include "pt2/program.h"

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

/// Writes `program` with its `tensors` as the PT2 archive at `path`, as torch 2.13 would, without sample
/// inputs: its model is called `model`. The bytes of the tensors pass through in parts, those that share a
/// Storage once. Errors: UsageError if `path` does not end in .pt2; DataError of weights_for() and of the
/// storages; IoError.
void save_program(const ExportedProgram& program, const std::vector<NamedTensor>& tensors,
                  const std::string& path);

/// The same with the tensors of the model `model` of `source` that `part` reads, of which it is a part, see
/// extract(). Errors: also those of load_weights().
void save_part(const ExportedProgram& part, const std::string& path, const ProgramFile& source,
               const std::optional<std::string>& model = std::nullopt);

/// Writes a copy of the archive `source` to `path`, with `program` in place of its model `model`, in which no
/// tensor is pickled: see write_raw_archive(). `constants` are LoadedProgram::constants of the program;
/// without any, those of the model that is replaced stay. Errors: also those of it.
void save_raw(const ExportedProgram& program, const std::string& path, const ProgramFile& source,
              const std::optional<std::string>& model = std::nullopt,
              const std::vector<NamedTensor>& constants = {});

}  // namespace pt2
