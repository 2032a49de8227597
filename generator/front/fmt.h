// The canonical layout has keys in a fixed order, two spaces of indentation, and an empty line between types.
// A field, list or enum is on one line in braces if it fits in 100 columns, and otherwise has one key or item
// per line. Strings are quoted if they contain anything other than letters, digits and a few other
// characters. Defaults of type str are always quoted.
#pragma once

#include "front/imports.h"
#include "text/message.h"

namespace generator {

/// Preserves the meaning, keeps comments above or after the same entries, and is idempotent. Returns nullopt
/// after errors, such as comments that do not belong to any entry. `rules` are the ids that `allow` can name.
std::optional<std::string> formatted(Diagnostics& diagnostics, const Names& rules,
                                     const SchemaFiles& files = files_on_disk());

}  // namespace generator
