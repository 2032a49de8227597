// The weights of models that AOTInductor compiled, where they lie beside the code. All functions may be
// called from several threads at once.
#pragma once

#include <string_view>
#include <vector>

#include "pt2/archive/archive.h"
#include "pt2/tensors/weights.h"
#include "schemagen/value/limits.h"

namespace pt2 {

/// The weights of the compiled model `model` of `archive`, which must outlive them, in the order of its
/// `weights_config.json`; none, where that is not there: then they are in the code. What the program called
/// them is not known: those that are no parameters are constants here. Errors: DataError if the config is
/// malformed, or a tensor's file is not there or does not hold it.
std::vector<Weight> compiled_weights_of(const Archive& archive, std::string_view model,
                                        const schemagen::Limits& limits = {});

}  // namespace pt2
