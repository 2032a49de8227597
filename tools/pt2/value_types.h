#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "output_format.h"
#include "pt2/program.h"

namespace pt2::tool {

inline constexpr std::string_view kProgramType = "ExportedProgram";

struct ValueType {
  std::string_view name;
  /// `in` must not be an archive. Appends skipped fields of a newer schema to `skipped`. Throws DataError.
  std::string (*convert)(const ProgramFile& in, const OutputFormat& out,
                         std::vector<schemagen::SkippedField>& skipped);
};

/// Returns null if the schema has no such struct or union.
const ValueType* find_value_type(std::string_view name);

std::vector<std::string> value_type_names();

}  // namespace pt2::tool
