// Where the elements of a tensor lie in its storage, and whether they can. All functions may be called from
// several threads at once.
#pragma once

#include <cstdint>
#include <vector>

#include "pt2/types.h"

namespace pt2 {

/// All are counted in elements, and none is negative.
struct TensorLayout {
  ScalarType dtype = ScalarType::UNKNOWN;
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;  // one for each dimension; 0: expanded
  std::int64_t offset = 0;            // of the first element, from the start of the storage

  friend bool operator==(const TensorLayout& a, const TensorLayout& b) {
    return a.dtype == b.dtype && a.shape == b.shape && a.strides == b.strides && a.offset == b.offset;
  }
};

/// How much a layout takes; no number is over 2^63 - 1.
struct TensorExtent {
  std::uint64_t element = 0;   // bytes of one
  std::uint64_t elements = 0;  // the product of the sizes
  std::uint64_t bytes = 0;     // of all elements, one after the other
  std::uint64_t storage = 0;   // bytes of the storage up to the end of the last element; 0: no elements
};

/// Errors: DataError if the dtype is not known, there is not one stride for each dimension, a number is
/// negative or leads beyond 2^63 - 1.
TensorExtent extent_of(const TensorLayout& layout);

/// The strides of a tensor of this shape whose elements lie one after the other, the last dimension first. A
/// size of 0 counts as 1, as in torch. Those of no sensible shape are 2^63 - 1 at most.
std::vector<std::int64_t> row_major_strides(const std::vector<std::int64_t>& shape);

/// Whether the elements lie one after the other, in row-major order. Strides of dimensions of size 1 do not
/// matter.
bool is_contiguous(const TensorLayout& layout);

/// What a PT2 archive says of a tensor. Errors: DataError if a size, stride or the offset is symbolic, or the
/// tensor is not strided; else none: see extent_of().
TensorLayout layout_of(const TensorMeta& meta);

/// The other way. The tensor is strided.
TensorMeta meta_of(const TensorLayout& layout, const Device& device, bool requires_grad);

}  // namespace pt2
