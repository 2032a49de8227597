// safetensors or NumPy's .npz, by their extension.
#pragma once

#include <string>
#include <vector>

#include "pt2/archive/file.h"
#include "pt2/archive/tensors/tensor.h"

namespace pt2::tool {

/// Throws UsageError for other extensions.
void require_tensor_file(const std::string& path);

/// Tensors on the device meta have no bytes; warns about each.
std::vector<NamedTensor> without_meta(std::vector<NamedTensor> tensors);

void write_tensor_file(const std::vector<NamedTensor>& tensors, const std::string& path, const ByteSink& out);

/// `known` are the archive's tensors. Throws FileError instead of the DataErrors of read_npz() and
/// read_safetensors().
std::vector<NamedTensor> read_tensor_file(const std::string& path, const FileBytes& bytes,
                                          const std::vector<NamedTensor>& known);

}  // namespace pt2::tool
