#pragma once

#include <string>

#include "text/near_name.h"

namespace generator {

/// Draft 7, for editors. Accepts every schema that `check` accepts, but also wrongly spelled numbers, and
/// errors that involve two places, such as duplicate ids and unknown types.
std::string language_schema(const Names& rules);

}  // namespace generator
