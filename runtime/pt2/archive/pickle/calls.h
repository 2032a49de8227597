// Evaluates calls of the globals in safe_globals.h, and persistent ids, as data. Source: torch/_utils.py and
// torch/serialization.py of torch 2.13, and Python's own classes.
#pragma once

#include <map>
#include <string>

#include "pt2/archive/pickle/store.h"

namespace pt2 {

/// Evaluates REDUCE. Throws DataError if the call is not allowed.
PickleRef call_global(PickleStore& store, PickleRef function, PickleRef arguments);

/// Evaluates NEWOBJ, which creates an uninitialized object. Throws DataError if the call is not allowed.
PickleRef new_object(PickleStore& store, PickleRef type, PickleRef arguments);

/// Checks the state that BUILD sets, which is then dropped. Throws DataError if `object` cannot have this
/// state.
void require_state(const PickleStore& store, PickleRef object, PickleRef state);

/// Evaluates BINPERSID: returns the storage that the tuple `id` names. Storages with the same key are the
/// same storage, the first one.
PickleRef find_storage(PickleStore& store, PickleRef id, std::map<std::string, PickleRef>& storages);

}  // namespace pt2
