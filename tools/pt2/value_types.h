// The types of the schema by name, for values that are no whole programs.
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
  /// The value of this type that `in` holds, which is no archive, as the bytes of a file in format `out`.
  /// `skipped` gets what the schema does not have, of a file by a newer one. Errors: DataError.
  std::string (*convert)(const ProgramFile& in, const OutputFormat& out,
                         std::vector<schemagen::SkippedField>& skipped);
};

/// The type called `name`; null if the schema has no struct or union of that name.
const ValueType* find_value_type(std::string_view name);

/// The names of all.
std::vector<std::string> value_type_names();

}  // namespace pt2::tool
