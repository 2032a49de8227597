// Defaults of fields, from Python to the schema language.
#pragma once

#include <optional>
#include <string>

#include "import/imported_schema.h"
#include "import/python_syntax.h"

namespace generator {

/// Returns the default of a field of this type as YAML, whether or not it fits the type. nullopt if it is not
/// a literal, a member of an enum, or a list, dict or object of such.
std::optional<std::string> default_text(const PythonExpression& value, const ImportedType& type,
                                        const ImportedSchema& schema);

}  // namespace generator
