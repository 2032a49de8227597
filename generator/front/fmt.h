// The canonical layout: keys in a fixed order, two spaces of indentation, an empty line between types.
// A field, list or enum is on one line in braces if it fits in 100 columns, and otherwise has one key or item
// per line. Strings are quoted if they contain anything besides letters, digits and a few signs. Defaults of
// type str are always quoted.
#pragma once

#include <optional>
#include <string>

#include "front/diagnostics.h"
#include "front/source_file.h"
#include "text/near_name.h"

namespace generator {

/// Returns the schema in the canonical layout, or nullopt after errors, for example comments that belong to
/// no entry. Comments stay above or after the same entries. Formatting preserves the meaning, and formatting
/// again changes nothing. `rules` are the ids that `allow` may name.
std::optional<std::string> formatted(Diagnostics& diagnostics, const Names& rules,
                                     const SchemaFiles& files = files_on_disk());

}  // namespace generator
