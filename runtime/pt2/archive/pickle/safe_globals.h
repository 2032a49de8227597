// Lists the globals that torch.load(weights_only=True) accepts in a pickle. Source:
// torch/_weights_only_unpickler.py of torch 2.13.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "pt2/types.h"

namespace pt2 {

enum class SafeGlobalKind {
  dtype,
  scheme,
  storage_class,   // `torch.FloatStorage`: only named in persistent ids
  tensor_class,    // `torch.Tensor`, `torch.FloatTensor`, ...
  filled_class,    // takes its arguments in __init__(): OrderedDict, Counter, set, bytearray
  other_class,     // `torch.Size`, `torch.nn.parameter.Parameter`, ...
  rebuild_tensor,  // rebuilds a strided tensor
  other_function,  // rebuilds sparse, quantized, nested and other tensors, or does something else
};

struct SafeGlobal {
  std::string_view name;  // `torch._utils._rebuild_tensor_v2`
  SafeGlobalKind kind = SafeGlobalKind::dtype;
  /// The dtype of a storage or tensor class. UNKNOWN if there is none, or if the schema lacks it (e.g.
  /// `torch.qint8`).
  ScalarType dtype = ScalarType::UNKNOWN;
  unsigned element_bytes = 0;
};

const SafeGlobal* find_safe_global(std::string_view name);

/// Calls `visit` for each class and function that a pickle may name in a call, even if no call is accepted.
void for_each_callable(const std::function<void(std::string_view name, SafeGlobalKind kind)>& visit);

/// If torchao registers `name` as safe, so that weights_only accepts it once torchao is imported, returns
/// which releases do, e.g. `torchao 0.15 or later` or `torchao 0.5 to 0.17`.
std::optional<std::string> torchao_for(std::string_view name);

/// Returns the name of the storage class for a dtype, e.g. `FloatStorage`, or an empty string.
std::string storage_class(ScalarType dtype);

/// Returns the global that GLOBAL or INST names. Names from Python 2 are mapped to Python 3 as in torch, e.g.
/// `__builtin__` and `set` to `builtins.set`.
std::string global_name(std::string_view module, std::string_view name);

}  // namespace pt2
