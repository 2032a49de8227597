#pragma once

#include <string>
#include <vector>

#include "pt2/archive/file.h"
#include "pt2/archive/tensors/tensor.h"

namespace pt2::tool {

/// Throws UsageError unless the extension is that of safetensors or NumPy's .npz.
void require_tensor_file(const std::string& path);

/// Warns about each tensor on meta, because it has no bytes.
std::vector<NamedTensor> without_meta(std::vector<NamedTensor> tensors);

void write_tensor_file(const std::vector<NamedTensor>& tensors, const std::string& path, const ByteSink& out);

/// `known` are the archive's tensors. Throws FileError instead of DataError.
std::vector<NamedTensor> read_tensor_file(const std::string& path, const FileBytes& bytes,
                                          const std::vector<NamedTensor>& known);

}  // namespace pt2::tool
