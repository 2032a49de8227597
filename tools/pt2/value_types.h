// Types of the schema by name, for values other than whole programs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "output_format.h"
#include "pt2/program.h"

namespace pt2::tool {

/// The type of a whole program.
inline constexpr std::string_view kProgramType = "ExportedProgram";

/// A struct or union of the schema.
struct ValueType {
  std::string_view name;
  /// Converts the value of this type in `in`, which must not be an archive, to a file in the format `out`.
  /// `skipped` gets skipped fields of a newer schema. Throws DataError.
  std::string (*convert)(const ProgramFile& in, const OutputFormat& out,
                         std::vector<schemagen::SkippedField>& skipped);
};

/// Returns the type `name`, or null if the schema has no such struct or union.
const ValueType* find_value_type(std::string_view name);

/// Returns the names of all types.
std::vector<std::string> value_type_names();

}  // namespace pt2::tool
