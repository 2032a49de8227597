// The hash printed by `pt2 hash --weights`.
#pragma once

#include <optional>
#include <string>

#include "pt2/program.h"
#include "pt2/weights.h"

namespace pt2 {

/// Returns the hash, `sha256:...`, of content_text() of `program` and of all weights in the archive of
/// `file`, sorted by name: for each a line of metadata, then the elements of a tensor (none on meta) or the
/// record of an object. Throws DataError if the weights cannot be read.
std::string hash_with_weights(ExportedProgram program, const ProgramFile& file,
                              const std::optional<std::string>& model);

}  // namespace pt2
