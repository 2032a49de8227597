// Reads PyTorch's schema.py, or a similar file, without running it.
#pragma once

#include <optional>

#include "front/diagnostics.h"
#include "import/imported_schema.h"

namespace generator {

/// Returns nullopt after errors. Ignores classes that are not part of a schema. If `with_comments` is true,
/// comments become docs.
std::optional<ImportedSchema> read_schema_py(Diagnostics& diagnostics, bool with_comments);

}  // namespace generator
