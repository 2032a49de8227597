#pragma once

#include <optional>
#include <string>

#include "import/imported_schema.h"
#include "import/python_syntax.h"

namespace generator {

/// Returns a default as YAML, even if it does not match the type. Returns nullopt unless the default is a
/// literal, an enum member, or a list, dict or object of these.
std::optional<std::string> default_text(const PythonExpression& value, const ImportedType& type,
                                        const ImportedSchema& schema);

}  // namespace generator
