// Tensors: a view of a storage, checked before anybody looks at a byte.
// All functions may be called from several threads at once.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "pt2/archive/byte_sink.h"
#include "pt2/tensors/layout.h"
#include "pt2/tensors/storage.h"
#include "schemagen/value/limits.h"

namespace pt2 {

struct Tensor {
  TensorLayout layout;
  Device device;
  bool requires_grad = false;
  std::shared_ptr<const Storage> storage;  // never null

  /// Whether its bytes are left out: torch writes no bytes for fake tensors, and so does `pt2 strip`. torch
  /// reads zeros then.
  bool is_absent() const { return storage->size() == 0 && extent_of(layout).storage != 0; }
};

struct NamedTensor {
  std::string name;
  Tensor tensor;
};

/// Errors: DataError of extent_of(), or if the tensor reaches beyond its storage, or that is not a whole
/// number of elements, which torch asks for. A storage of no bytes at all is right, see Tensor::is_absent().
void check_tensor(const Tensor& tensor);

/// The elements in row-major order, little-endian, one after the other, in parts.
/// Errors: DataError of check_tensor() and Storage::read(); if the tensor is absent, or expanded to more
/// bytes than `memory_bytes`: a few bytes can stand for any number of them.
void write_row_major(const Tensor& tensor, const ByteSink& sink, const schemagen::Limits& limits = {});

/// The same at once. Errors: also DataError if it is more than `memory_bytes`.
std::string contiguous_bytes(const Tensor& tensor, const schemagen::Limits& limits = {});

/// How many bytes a machine of the other byte order has the other way round: those of an element, or of one
/// part of a complex one.
std::size_t number_bytes(ScalarType dtype);

/// The bytes of `storage` with each `width` of them the other way round, in parts.
void copy_swapped(const Storage& storage, std::size_t width, const ByteSink& sink);

/// Puts `elements`, in row-major order, where `layout` has them in `storage`, which it fits.
void scatter(const TensorLayout& layout, std::string_view elements, std::string& storage);

/// A tensor of the same elements that has a storage of its own, in row-major order.
Tensor contiguous(const Tensor& tensor, const schemagen::Limits& limits = {});

/// A tensor of these elements, row-major and little-endian. Errors: DataError if there are more or fewer.
Tensor make_tensor(ScalarType dtype, std::vector<std::int64_t> shape, std::string bytes);

}  // namespace pt2
