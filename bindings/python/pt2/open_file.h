#pragma once

#include <nanobind/nanobind.h>

#include <memory>

#include "pt2/archive/tensors/weights.h"
#include "pt2/program.h"

namespace pt2::python {

namespace nb = nanobind;

using SharedFile = std::shared_ptr<const ProgramFile>;

struct FileTensor {
  SharedFile file;
  Weight weight;

  const Tensor& tensor() const noexcept { return *weight.tensor; }
};

/// Returns the bytes of the tensor's storage as a one-dimensional array for DLPack. The array has its own
/// pages, so changes to it reach nothing else. Throws DataError or MemoryError.
nb::object own_array(const Tensor& tensor, Checksums checksums);

void bind_files(nb::module_& module);
void bind_torch(nb::module_& module);

}  // namespace pt2::python
