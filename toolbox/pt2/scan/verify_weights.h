// Checks that an archive contains the weights of its program.
#pragma once

#include <string_view>
#include <vector>

#include "pt2/archive/archive.h"
#include "pt2/archive/tensors/tensor.h"
#include "pt2/types.h"
#include "pt2/verify/verify.h"
#include "schemagen/base/limits.h"

namespace pt2 {

/// Returns the findings of the WEIGHT_... rules for the weights and constants of `program`. These are stored
/// in the model `model` of `archive`, and in `constants` (see LoadedProgram::constants). Each weight must
/// exist, must be within its record, and must match the graph input that it belongs to.
///
/// Findings are sorted by path. For a malformed record, the path is empty and the message names the record.
/// Returns nothing for archives that do not store weights in records; see weights_of(). Does not read the
/// tensors' data.
std::vector<Finding> verify_weights(const ExportedProgram& program, const Archive& archive,
                                    std::string_view model, const std::vector<NamedTensor>& constants = {},
                                    const schemagen::Limits& limits = {});

}  // namespace pt2
