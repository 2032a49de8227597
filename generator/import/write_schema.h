// Writes an imported schema in the schema language.
#pragma once

#include <optional>
#include <string>

#include "front/diagnostics.h"
#include "import/imported_schema.h"

namespace generator {

/// Returns the schema in the layout of `schemagen fmt`, with `name` as its name. `source` is the file that it
/// was imported from: errors of the schema are reported there, and nullopt is returned after them.
std::optional<std::string> write_schema(const ImportedSchema& schema, const std::string& name,
                                        Diagnostics& source);

}  // namespace generator
