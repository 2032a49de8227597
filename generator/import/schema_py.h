// Reads PyTorch's schema.py, or a file like it: dataclasses, unions and enums. It is parsed, not run.
#pragma once

#include <optional>

#include "front/diagnostics.h"
#include "import/imported_schema.h"

namespace generator {

/// Returns the schema in `diagnostics.text()`, or nullopt after errors. Classes of other kinds are left out.
/// `with_comments`: comments of classes and fields become their docs.
std::optional<ImportedSchema> read_schema_py(Diagnostics& diagnostics, bool with_comments);

}  // namespace generator
