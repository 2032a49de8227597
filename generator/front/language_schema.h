// The schema language itself, for editors.
#pragma once

#include <string>

#include "text/near_name.h"

namespace generator {

/// Returns the JSON Schema (Draft 7) of schemas, with which editors complete, explain and check them. Every
/// schema that `check` accepts is valid. It cannot detect errors between two places, such as ids used twice
/// and unknown types, or the spelling of numbers. `rules` are the ids that `allow` may name.
std::string language_schema(const Names& rules);

}  // namespace generator
