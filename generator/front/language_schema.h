// The schema language itself, for editors.
#pragma once

#include <string>

#include "text/near_name.h"

namespace generator {

/// JSON Schema, Draft 7, of a schema, made of the table of keys; an editor with a YAML server completes,
/// explains and underlines by it. Every schema that `check` takes is valid; it cannot see what needs two
/// places, such as ids that are used twice and types that are not there, nor how a number is spelled.
/// `rules` are the ids that `allow` may name.
std::string language_schema(const Names& rules);

}  // namespace generator
