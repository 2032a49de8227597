// `schemagen fmt`: the one layout of a schema.
//
// Keys in a fixed order, two blanks of indentation, an empty line between types. A field is one line in
// braces if that has at most 100 columns, else one key per line; so are short lists and enums. Text is
// in quotes where it has more than letters, digits and a few signs, and defaults of type str always are.
// dev/port_schema.py writes the same.
#pragma once

#include <optional>
#include <string>

#include "front/diagnostics.h"
#include "front/source_file.h"
#include "text/near_name.h"

namespace generator {

/// The schema in `diagnostics.text()` in the one layout; its comments stay at what they are about: above it
/// or behind it. Formatting the result again gives the same, and it means the same.
/// `rules` are the ids that `allow` may name, `files` where imported files are read from. Errors: nullopt if
/// `diagnostics` then has errors: those of the schema, and comments without a place.
std::optional<std::string> formatted(Diagnostics& diagnostics, const Names& rules,
                                     const SchemaFiles& files = files_on_disk());

}  // namespace generator
