#pragma once

#include <optional>
#include <string>

#include "pt2/program.h"
#include "pt2/weights.h"

namespace pt2 {

/// Returns the hash that `pt2 hash --weights` prints. It covers content_text() and, sorted by name, a line of
/// metadata for each weight with the elements of its tensor (none on meta) or the record of its object.
/// Throws DataError if the weights cannot be read.
std::string hash_with_weights(ExportedProgram program, const ProgramFile& file,
                              const std::optional<std::string>& model);

}  // namespace pt2
