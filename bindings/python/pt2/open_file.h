// Files that are open in Python, for the tensors in them: their bytes stay where they are as long as somebody
// has them.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "pt2/archive/tensors/weights.h"
#include "pt2/program.h"

namespace pt2::python {

namespace nb = nanobind;

/// What the tensors of a file lie in: it stays while one of them lives.
using SharedFile = std::shared_ptr<const ProgramFile>;

/// All bytes of a storage.
struct StorageBytes {
  SharedFile file;
  std::shared_ptr<const MemberBytes> bytes;

  std::string_view view() const noexcept { return bytes->view(); }
};

/// One tensor of a file; its bytes are not read yet.
struct FileTensor {
  SharedFile file;
  Weight weight;  // with a tensor

  const Tensor& tensor() const noexcept { return *weight.tensor; }
};

/// The bytes of `storage`, whose checksum is verified the first time. Errors: DataError.
StorageBytes read_storage(const SharedFile& file, const Storage& storage);

/// A one-dimensional array of the bytes for DLPack, or a tensor in them. It may be written: the pages are the
/// process's own from then on, the file stays as it is. Errors: DataError, MemoryError.
nb::object writable_array(const StorageBytes& bytes);

void bind_files(nb::module_& module);
void bind_torch(nb::module_& module);

}  // namespace pt2::python
