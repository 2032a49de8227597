// Reads PyTorch's schema.yaml, which has no ids and spells defaults as in Python.
#pragma once

#include <optional>

#include "front/diagnostics.h"
#include "import/imported_schema.h"

namespace generator {

std::optional<ImportedSchema> read_schema_yaml(Diagnostics& diagnostics);

}  // namespace generator
