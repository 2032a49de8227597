// Writes raw weights, as torch 2.9 and later do.
#pragma once

#include "pt2/archive/tensors/payloads.h"
#include "pt2/archive/tensors/weights.h"

namespace pt2 {

/// Returns the entry in a payload config for `weight`, whose raw bytes are in the file `file`. `weight` must
/// have a tensor.
PayloadMeta payload_of(const Weight& weight, const std::string& file);

/// Adds the weights of `part` (persistent or not) and the config of `model`, which starts with the entries of
/// `config`: a record per storage, and a name per tensor. Numbers storages after those already in `out`.
/// Streams their bytes. Throws DataError, with the weight's name, if a weight has no tensor or is already in
/// `config`. Also throws whatever reading its storage throws.
void write_weights(ArchiveWriter& out, PayloadPart part, std::string_view model,
                   const std::vector<Weight>& weights, PayloadConfig config = {});

}  // namespace pt2
