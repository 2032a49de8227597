// Files of tensors, safetensors or NumPy's .npz, by their extension.
#pragma once

#include <string>
#include <vector>

#include "pt2/archive/file.h"
#include "pt2/archive/tensors/tensor.h"

namespace pt2::tool {

/// Throws UsageError unless `path` ends in .safetensors or .npz.
void require_tensor_file(const std::string& path);

/// Returns `tensors` without those on the device meta, which have no bytes, and warns about each of these.
std::vector<NamedTensor> without_meta(std::vector<NamedTensor> tensors);

/// Writes `tensors` to `out` in the format of `path`. Throws what write_npz() and write_safetensors() throw.
void write_tensor_file(const std::vector<NamedTensor>& tensors, const std::string& path, const ByteSink& out);

/// Reads the tensors of the file at `path`, whose content is `bytes`, for an archive with the tensors
/// `known`. Throws FileError instead of the DataError of read_npz() and read_safetensors().
std::vector<NamedTensor> read_tensor_file(const std::string& path, const FileBytes& bytes,
                                          const std::vector<NamedTensor>& known);

}  // namespace pt2::tool
