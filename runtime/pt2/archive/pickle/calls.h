// What the classes and functions of safe_globals.h make of their arguments.
// Source: torch/_utils.py, torch/serialization.py and Python's own classes.
#pragma once

#include <string_view>

#include "pt2/archive/pickle/safe_globals.h"
#include "pt2/archive/pickle/store.h"

namespace pt2 {

/// REDUCE. Errors: DataError if `function` is not one that can be called, or not with these arguments.
PickleRef call_global(PickleStore& store, PickleRef function, PickleRef arguments);

/// NEWOBJ: an object of `type` that is not initialised. Errors: DataError.
PickleRef new_object(PickleStore& store, PickleRef type, PickleRef arguments);

/// BUILD: whether `object` can have that state, which is not kept. Errors: DataError if it cannot.
void require_state(const PickleStore& store, PickleRef object, PickleRef state);

/// Whether `text` is `type` or `type:index` with a type that torch has.
bool is_device(std::string_view text);

}  // namespace pt2
