// The weights of models in PT2 archives, written raw as torch 2.9 and later do.
#pragma once

#include <string_view>
#include <vector>

#include "pt2/archive/archive_writer.h"
#include "pt2/archive/tensors/payloads.h"
#include "pt2/archive/tensors/weights.h"

namespace pt2 {

/// Adds those of `weights` that belong to `part` (persistent or not), and the config of `model`, in which
/// they follow what `config` has: a record for each storage, whole, and a name for each tensor of it.
/// Storages are numbered on from those that `out` has. Their bytes pass through in parts. Errors: DataError,
/// with the name, if one has no tensor, or is in `config`, and those of its storage.
void write_weights(ArchiveWriter& out, PayloadPart part, std::string_view model,
                   const std::vector<Weight>& weights, PayloadConfig config = {});

}  // namespace pt2
