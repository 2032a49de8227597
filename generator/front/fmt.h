// The canonical layout: keys in a fixed order, two spaces of indentation, an empty line between types. A
// field, list or enum is on one line in braces if it fits in 100 columns, and otherwise has one key or item
// per line. Strings are quoted if they contain anything besides letters, digits and a few signs, and always
// as defaults of type str.
#pragma once

#include <optional>
#include <string>

#include "front/diagnostics.h"
#include "front/source_file.h"
#include "text/near_name.h"

namespace generator {

/// Preserves the meaning, keeps comments above or after the same entries, and is idempotent. Returns nullopt
/// after errors, such as comments that belong to no entry. `rules` are the ids that `allow` may name.
std::optional<std::string> formatted(Diagnostics& diagnostics, const Names& rules,
                                     const SchemaFiles& files = files_on_disk());

}  // namespace generator
