// Evaluates calls of the globals in safe_globals.h as data. Source: torch/_utils.py, torch/serialization.py
// and Python's own classes.
#pragma once

#include <string_view>

#include "pt2/archive/pickle/safe_globals.h"
#include "pt2/archive/pickle/store.h"

namespace pt2 {

/// Evaluates REDUCE. Throws DataError if the call is not allowed.
PickleRef call_global(PickleStore& store, PickleRef function, PickleRef arguments);

/// Evaluates NEWOBJ, which creates an uninitialized object. Throws DataError if the call is not allowed.
PickleRef new_object(PickleStore& store, PickleRef type, PickleRef arguments);

/// Checks the state that BUILD sets, which is then dropped. Throws DataError if `object` cannot have this
/// state.
void require_state(const PickleStore& store, PickleRef object, PickleRef state);

/// Returns whether the text is `type` or `type:index`, with a torch device type.
bool is_device(std::string_view text);

}  // namespace pt2
