// Evaluates calls of the classes and functions in safe_globals.h, as data. Source: torch/_utils.py,
// torch/serialization.py and Python's own classes.
#pragma once

#include <string_view>

#include "pt2/archive/pickle/safe_globals.h"
#include "pt2/archive/pickle/store.h"

namespace pt2 {

/// REDUCE. Throws DataError if `function` cannot be called, or not with these arguments.
PickleRef call_global(PickleStore& store, PickleRef function, PickleRef arguments);

/// NEWOBJ: creates an uninitialized object of `type`. Throws DataError.
PickleRef new_object(PickleStore& store, PickleRef type, PickleRef arguments);

/// BUILD: checks that `object` can have that state, which is dropped. Throws DataError if it cannot.
void require_state(const PickleStore& store, PickleRef object, PickleRef state);

/// Returns whether `text` is `type` or `type:index` with a device type of torch.
bool is_device(std::string_view text);

}  // namespace pt2
