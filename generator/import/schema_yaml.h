// Reads PyTorch's schema.yaml, which has no ids, and defaults as Python prints them.
#pragma once

#include <optional>

#include "front/diagnostics.h"
#include "import/imported_schema.h"

namespace generator {

/// Returns the schema in `diagnostics.text()`, or nullopt after errors.
std::optional<ImportedSchema> read_schema_yaml(Diagnostics& diagnostics);

}  // namespace generator
