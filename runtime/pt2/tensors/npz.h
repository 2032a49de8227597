// Tensors as numpy.savez writes them. All functions may be called from several threads at once.
#pragma once

#include <vector>

#include "pt2/archive/byte_sink.h"
#include "pt2/tensors/safetensors.h"

namespace pt2 {

/// Writes `tensors` as an archive of NumPy arrays, which numpy.load() reads, a member `<name>.npy` for each.
/// Each is made contiguous. Those of dtypes that NumPy lacks (bfloat16, float8, complex32) are arrays of void
/// elements of as many bytes, as NumPy writes them for ml_dtypes. Takes no memory for their bytes. Errors:
/// DataError, with the name, of write_row_major().
void write_npz(const std::vector<NamedTensor>& tensors, const ByteSink& out,
               const schemagen::Limits& limits = {});

}  // namespace pt2
