// What `pt2 hash --weights` hashes of tensors.
#pragma once

#include <optional>
#include <string>

#include "pt2/program.h"
#include "pt2/weights.h"

namespace pt2::tool {

/// Gives `sink`, for each tensor by its name, a line with what it is, then its elements; of an object, its
/// record. Errors: DataError, if the weights cannot be read.
void write_hashed_weights(const ProgramFile& file, const std::optional<std::string>& model,
                          const ByteSink& sink);

}  // namespace pt2::tool
