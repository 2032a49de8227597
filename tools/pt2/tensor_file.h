// Files of tensors beside an archive: safetensors, or NumPy's .npz, as they are called.
#pragma once

#include <string>
#include <vector>

#include "pt2/archive/file.h"
#include "pt2/archive/tensors/tensor.h"

namespace pt2::tool {

/// Errors: UsageError, if `path` ends in neither .safetensors nor .npz.
void require_tensor_file(const std::string& path);

/// `tensors` without those on the device meta, which have no bytes; with a warning for each of these.
std::vector<NamedTensor> without_meta(std::vector<NamedTensor> tensors);

/// Writes `tensors` to `out`, as `path` is called. Errors: those of write_npz() and write_safetensors().
void write_tensor_file(const std::vector<NamedTensor>& tensors, const std::string& path, const ByteSink& out);

/// The tensors of the file at `path`, of which `bytes` are the content, for an archive that has `known`.
/// Errors: FileError in place of the DataError of read_npz() and read_safetensors().
std::vector<NamedTensor> read_tensor_file(const std::string& path, const FileBytes& bytes,
                                          const std::vector<NamedTensor>& known);

}  // namespace pt2::tool
