// Writing exported programs together with their weights.
//
// All functions may be called from several threads at once.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pt2/program.h"
#include "pt2/tensors/safetensors.h"

namespace pt2 {

/// Writes `program` with its `tensors` as the PT2 archive at `path`, as torch 2.13 would, without sample
/// inputs: its model is called `model`. The bytes of the tensors pass through in parts, those that share a
/// Storage once. Errors: UsageError if `path` does not end in .pt2; DataError of weights_for() and of the
/// storages; IoError.
void save_program(const ExportedProgram& program, const std::vector<NamedTensor>& tensors,
                  const std::string& path);

/// Writes a copy of the archive `source` to `path`, with `program` in place of its model `model`, in which no
/// tensor is pickled: see write_raw_archive(). `constants` are LoadedProgram::constants of the program;
/// without any, those of the model that is replaced stay. Errors: also those of it.
void save_raw(const ExportedProgram& program, const std::string& path, const ProgramFile& source,
              const std::optional<std::string>& model = std::nullopt,
              const std::vector<NamedTensor>& constants = {});

}  // namespace pt2
