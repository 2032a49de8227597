// Creates tensors, parameters and storages, as data. Source: torch/_utils.py and torch/serialization.py of
// torch 2.13.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "pt2/archive/pickle/safe_globals.h"
#include "pt2/archive/pickle/store.h"

namespace pt2 {

PickleRef rebuild_tensor(PickleStore& store, PickleRef function, SafeGlobalKind kind,
                         const std::vector<PickleRef>& arguments);

/// Evaluates `torch.nn.Parameter(data, requires_grad)`.
PickleRef make_parameter(PickleStore& store, PickleRef data, bool requires_grad);

/// Evaluates BINPERSID: returns the storage that the tuple `id` names. Storages with the same key are the
/// same storage, the first one.
PickleRef find_storage(PickleStore& store, PickleRef id, std::map<std::string, PickleRef>& storages);

std::vector<std::int64_t> integers_of(const PickleStore& store, PickleRef sequence, const char* what);

}  // namespace pt2
