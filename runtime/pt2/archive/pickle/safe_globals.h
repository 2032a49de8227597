// The classes and functions that torch.load(weights_only=True) lets a pickle name. Source:
// torch/_weights_only_unpickler.py of torch 2.13.
#pragma once

#include <string>
#include <string_view>

#include "pt2/types.h"

namespace pt2 {

enum class SafeGlobalKind {
  dtype,
  scheme,           // of quantization
  storage_class,    // `torch.FloatStorage`: only named in persistent ids
  untyped_storage,  // `torch.storage.UntypedStorage`
  tensor_class,     // `torch.Tensor`, `torch.FloatTensor`, ...
  ordered_dict,
  counter,
  set,
  bytearray,
  complex,
  size,
  device,
  parameter,
  encode,  // `_codecs.encode`
  get_layout,
  rebuild_tensor,  // `torch._utils._rebuild_tensor`
  rebuild_tensor_v2,
  rebuild_tensor_v3,
  rebuild_meta_tensor,  // `torch._utils._rebuild_meta_tensor_no_storage`
  rebuild_parameter,
  rebuild_parameter_with_state,
  other_function,  // those of sparse, quantized, nested and other tensors, with their own arguments
};

struct SafeGlobal {
  std::string_view name;  // `torch._utils._rebuild_tensor_v2`
  SafeGlobalKind kind = SafeGlobalKind::dtype;
  /// Of a storage or tensor class. UNKNOWN: of none, or one that the schema does not have (`torch.qint8`).
  ScalarType dtype = ScalarType::UNKNOWN;
  unsigned element_bytes = 0;  // of a class that persistent ids can name
};

/// The global called `name`, in full; null: weights_only refuses it.
const SafeGlobal* find_safe_global(std::string_view name);

/// The class in module `torch` of storages of `dtype`, `FloatStorage`; empty: torch has none.
std::string storage_class(ScalarType dtype);

/// The full name of what GLOBAL and INST name, where Python 3 and torch find what Python 2 had elsewhere:
/// `__builtin__` and `set` is `builtins.set`.
std::string global_name(std::string_view module, std::string_view name);

}  // namespace pt2
