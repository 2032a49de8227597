#pragma once

#include <string>

#include "text/message.h"

namespace generator {

/// Returns a JSON Schema (draft 7) of the schema language, for editors. It accepts every schema that `check`
/// accepts. It also accepts numbers in other notations, and errors that involve two places, such as duplicate
/// ids and unknown types.
std::string language_schema(const Names& rules);

}  // namespace generator
