// Files as torch.save writes them, of tensors by name. All functions may be called from several threads at
// once.
// Source: torch/serialization.py, torch/_tensor.py (PyTorch 2.6 to 2.13).
#pragma once

#include <vector>

#include "pt2/archive/byte_sink.h"
#include "pt2/tensors/weights.h"

namespace pt2 {

/// Writes what torch.save writes of a dict from the names of `weights` to their tensors, of which parameters
/// are such: a pickle, and each storage whole, once. torch.load(weights_only=True) takes it. Bytes of tensors
/// pass through in parts. Errors: DataError, with the name, if one has no tensor, none of its bytes, or is
/// big-endian, and those of its storage.
void write_torch_file(const std::vector<const Weight*>& weights, const ByteSink& out);

}  // namespace pt2
