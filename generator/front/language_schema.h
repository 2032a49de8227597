#pragma once

#include <string>

#include "text/near_name.h"

namespace generator {

/// JSON Schema (Draft 7) of the schema language, with which editors complete, explain and check schemas.
/// Every schema that `check` accepts is valid. It cannot detect errors that involve two places, such as
/// duplicate ids and unknown types, or the spelling of numbers. `rules` are the ids that `allow` may name.
std::string language_schema(const Names& rules);

}  // namespace generator
