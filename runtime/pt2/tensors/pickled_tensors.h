// The tensors of files of torch.save that lie in archives.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "pt2/archive/torch_file.h"
#include "pt2/archive/zip.h"
#include "pt2/tensors/tensor.h"
#include "schemagen/value/limits.h"

namespace pt2 {

/// A file of torch.save as a source of tensors. Nothing in it is run. For one thread at a time.
class PickledTensors {
 public:
  /// Reads the pickle in `member` of `zip`, and no storage: those are read from where they lie in `zip`,
  /// which must outlive all that comes of this. Errors: DataError of ZipReader and open_torch_file().
  PickledTensors(const ZipReader& zip, const ZipMember& member, const schemagen::Limits& limits);
  /// Reads the pickle in `bytes`, a whole file, which all that comes of this keeps.
  PickledTensors(std::string bytes, const schemagen::Limits& limits);

  const TorchFile& file() const { return *file_; }

  /// The tensor, checked. Those of one storage share it. Errors: DataError of check_tensor(), or if it stands
  /// for the conjugate or negative of its elements.
  Tensor tensor_of(const PickledTensor& pickled);

  /// The tensor that the file holds. Errors: as tensor_of(), or if it holds something else.
  Tensor only_tensor();

 private:
  std::shared_ptr<const TorchFile> file_;
  std::map<std::string, std::shared_ptr<const Storage>> storages_;  // by key
};

}  // namespace pt2
