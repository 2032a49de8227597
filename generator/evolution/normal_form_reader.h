// The normal form back to a Model, so that a schema can be compared with what generated code knows of it.
#pragma once

#include <optional>

#include "front/diagnostics.h"
#include "model/model.h"

namespace generator {

/// The schema whose normal form (`nsf 1`, see canonical.h) is `diagnostics.text()`: types, fields, ids,
/// defaults and constants; no name, version, roots, docs or places. None after an error.
/// Strict: the normal form of the result is the text, byte for byte.
/// Errors: the first one is added to `diagnostics`.
std::optional<Model> read_normal_form(Diagnostics& diagnostics);

}  // namespace generator
