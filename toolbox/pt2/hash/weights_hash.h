// What `pt2 hash --weights` prints.
#pragma once

#include <optional>
#include <string>

#include "pt2/program.h"
#include "pt2/weights.h"

namespace pt2 {

/// The hash, `sha256:...`, of content_text() of a program of `file`, and of all tensors of its archive by
/// their names: for each a line with what it is, then its elements, if it is not on meta; of an object, its
/// record. Errors: DataError, if the weights cannot be read.
std::string hash_with_weights(ExportedProgram program, const ProgramFile& file,
                              const std::optional<std::string>& model);

}  // namespace pt2
