#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pt2/program.h"
#include "schemagen/json/json.h"

namespace pt2::tool {

struct OutputFormat {
  FileFormat format = FileFormat::json;
  schemagen::JsonWriteOptions json;
  BinaryFileWriteOptions binary;
};

/// Throws whatever schemagen::to_json() and to_pt2b() throw.
template <class T>
std::string encode(const T& value, const OutputFormat& format) {
  return format.format == FileFormat::json ? schemagen::to_json(value, format.json)
                                           : to_pt2b(value, format.binary);
}

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
