// What the functions that make tensors, parameters and storages make of their arguments.
// Source: torch/_utils.py and torch/serialization.py of torch 2.13.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "pt2/archive/pickle/safe_globals.h"
#include "pt2/archive/pickle/store.h"

namespace pt2 {

/// The functions that make strided tensors: rebuild_tensor to rebuild_parameter_with_state.
PickleRef rebuild_tensor(PickleStore& store, PickleRef function, SafeGlobalKind kind,
                         const std::vector<PickleRef>& arguments);

/// `torch.nn.Parameter(data, requires_grad)`
PickleRef make_parameter(PickleStore& store, PickleRef data, bool requires_grad);

/// BINPERSID: the storage that the tuple `id` names. Storages with one key are one, the first.
PickleRef find_storage(PickleStore& store, PickleRef id, std::map<std::string, PickleRef>& storages);

/// The integers of a list, tuple or Size. Errors: DataError naming `what`.
std::vector<std::int64_t> integers_of(const PickleStore& store, PickleRef sequence, const char* what);

}  // namespace pt2
