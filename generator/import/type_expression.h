// Types in Python's annotations, which PyTorch's schema.yaml has too.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>

#include "front/diagnostics.h"
#include "import/imported_schema.h"
#include "import/python_syntax.h"

namespace generator {

/// What the names in a file mean.
struct ImportedNames {
  std::map<std::string, std::string, std::less<>>
      types;                                     // those of the schema, and their names in the schema
  std::set<std::string, std::less<>> enums;      // those that are enums, by their names in the schema
  std::set<std::string, std::less<>> elsewhere;  // what else is imported or defined
};

/// Returns the type of a field, `label` in messages. A type that the schema language lacks becomes Any, with
/// a note. Names that mean nothing stay, for the check of the whole schema to report.
ImportedType read_type(const PythonExpression& expression, const std::string& label,
                       const ImportedNames& names, Diagnostics& diagnostics);

/// Returns the expression in a quoted annotation; other expressions unchanged.
PythonExpression unquoted(PythonExpression expression);

}  // namespace generator
