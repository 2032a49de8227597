// What the classes and functions of safe_globals.h make of their arguments.
// Source: torch/_utils.py, torch/serialization.py and Python's own classes.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "pt2/pickle/safe_globals.h"
#include "pt2/pickle/store.h"

namespace pt2 {

/// REDUCE. Errors: DataError if `function` is not one that can be called, or not with these arguments.
PickleRef call_global(PickleStore& store, PickleRef function, PickleRef arguments);

/// NEWOBJ: an object of `type` that is not initialised. Errors: DataError.
PickleRef new_object(PickleStore& store, PickleRef type, PickleRef arguments);

/// BUILD: whether `object` can have that state, which is not kept. Errors: DataError if it cannot.
void require_state(const PickleStore& store, PickleRef object, PickleRef state);

/// The functions that make strided tensors: rebuild_tensor to rebuild_parameter_with_state.
PickleRef rebuild_tensor(PickleStore& store, PickleRef function, SafeGlobalKind kind,
                         const std::vector<PickleRef>& arguments);

/// `torch.nn.Parameter(data, requires_grad)`
PickleRef make_parameter(PickleStore& store, PickleRef data, bool requires_grad);

/// BINPERSID: the storage that the tuple `id` names. Storages with one key are one, the first.
PickleRef find_storage(PickleStore& store, PickleRef id, std::map<std::string, PickleRef>& storages);

/// The integers of a list, tuple or Size. Errors: DataError naming `what`.
std::vector<std::int64_t> integers_of(const PickleStore& store, PickleRef sequence, const char* what);

/// Whether `text` is `type` or `type:index` with a type that torch has.
bool is_device(std::string_view text);

}  // namespace pt2
