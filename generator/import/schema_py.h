// Reads PyTorch's schema.py, or a similar file: dataclasses, unions and enums. It is parsed, not run.
#pragma once

#include <optional>

#include "front/diagnostics.h"
#include "import/imported_schema.h"

namespace generator {

/// Returns the schema, or nullopt after errors. Ignores other classes. With `with_comments`, comments of
/// classes and fields become their docs.
std::optional<ImportedSchema> read_schema_py(Diagnostics& diagnostics, bool with_comments);

}  // namespace generator
