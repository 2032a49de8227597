#pragma once

#include <string>

#include "text/near_name.h"

namespace generator {

/// Returns the JSON Schema (Draft 7) of the schema language, for editors. Every schema that `check` accepts
/// is valid by it. It cannot detect wrongly spelled numbers, nor errors that involve two places, such as
/// duplicate ids and unknown types.
std::string language_schema(const Names& rules);

}  // namespace generator
