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

using SharedFile = std::shared_ptr<const ProgramFile>;

struct StorageBytes {
  SharedFile file;
  std::shared_ptr<const MemberBytes> bytes;

  std::string_view view() const noexcept { return bytes->view(); }
};

struct FileTensor {
  SharedFile file;
  Weight weight;

  const Tensor& tensor() const noexcept { return *weight.tensor; }
};

/// Returns the bytes of a storage. The first read verifies the checksum, and throws DataError if it is wrong.
StorageBytes read_storage(const SharedFile& file, const Storage& storage);

/// Returns a one-dimensional array for DLPack. Writes to it do not reach the file. Throws DataError or
/// MemoryError.
nb::object writable_array(const StorageBytes& bytes);

void bind_files(nb::module_& module);
void bind_torch(nb::module_& module);

}  // namespace pt2::python
