// Reads types that are spelled as in Python, as they are in PyTorch's schema.yaml.
#pragma once

#include <functional>
#include <map>
#include <set>

#include "import/imported_schema.h"

namespace generator {

struct ImportedNames {
  std::map<std::string, std::string, std::less<>> types;  // the values are names in the schema
  std::set<std::string, std::less<>> enums;
  std::set<std::string, std::less<>> elsewhere;
};

/// A type that the schema language lacks becomes Any, with a note. Unknown names are kept and are reported
/// later.
ImportedType read_type(const PythonExpression& expression, const std::string& label,
                       const ImportedNames& names, Diagnostics& diagnostics);

PythonExpression unquoted(PythonExpression expression);

}  // namespace generator
