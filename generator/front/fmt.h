// The canonical layout: keys in a fixed order, two spaces of indentation, an empty line between types.
// Fields, lists and enums are on one line in braces if that fits in 100 columns, else one key or item per
// line. Text is in quotes if it has more than letters, digits and a few signs; defaults of type str always
// are.
#pragma once

#include <optional>
#include <string>

#include "front/diagnostics.h"
#include "front/source_file.h"
#include "text/near_name.h"

namespace generator {

/// Returns the schema in the canonical layout. Comments stay above or after the same entries. Neither changes
/// the meaning nor, if repeated, the text. `rules` are the ids that `allow` may name. Returns nullopt after
/// errors, such as comments that belong to no entry.
std::optional<std::string> formatted(Diagnostics& diagnostics, const Names& rules,
                                     const SchemaFiles& files = files_on_disk());

}  // namespace generator
