// Whether an archive holds the weights of its program.
#pragma once

#include <string_view>
#include <vector>

#include "pt2/archive/archive.h"
#include "pt2/archive/tensors/tensor.h"
#include "pt2/types.h"
#include "pt2/verify/verify.h"
#include "schemagen/base/limits.h"

namespace pt2 {

/// What is wrong with the weights and constants that `model` of `archive`, and with `constants` its program
/// itself (LoadedProgram::constants), have for `program`, by the rules
/// WEIGHT_...: whether they are there, within their records, and as the graph's inputs say. Sorted by path;
/// that of a malformed record is empty, and its name in the message. Nothing is said of archives that hold
/// them in another form than records, see weights_of(). No byte of a tensor is read.
std::vector<Finding> verify_weights(const ExportedProgram& program, const Archive& archive,
                                    std::string_view model, const std::vector<NamedTensor>& constants = {},
                                    const schemagen::Limits& limits = {});

}  // namespace pt2
