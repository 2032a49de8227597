#pragma once

#include <optional>
#include <string>

#include "front/diagnostics.h"
#include "import/imported_schema.h"

namespace generator {

/// Returns the schema in the layout of `schemagen fmt`, or nullopt after errors, which are reported at their
/// places in `source`.
std::optional<std::string> write_schema(const ImportedSchema& schema, const std::string& name,
                                        Diagnostics& source);

}  // namespace generator
